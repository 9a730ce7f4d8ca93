#include "sources/bill/bill.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "sources/bill/deliveries.h"
#include "sources/bill/read_file.h"

namespace tare::sources {
namespace {

// A change of what a reader makes of the same bytes changes this.
constexpr std::string_view kBillReaderVersion = "bill-2";

void add_columns(const Source& source, HashBuilder& hash) {
  for (const auto& [name, column] : source.columns) {
    hash.add(name).add(column.column).add(column.time_unit);
  }
}

std::string reader_hash_of(const Project& project, const Source& source) {
  HashBuilder hash;
  hash.add(kBillReaderVersion).add(source.name).add(source.format).add(source.currency);
  hash.add(project.currency).add(source.time_zone);
  hash.add(source.append ? "append" : "").add(static_cast<int64_t>(source.newest));
  add_columns(source, hash);
  if (const Source* paired = paired_export(project, source)) {
    hash.add(paired->name);
    add_columns(*paired, hash);
  }
  return to_text(hash.finish());
}

BillDefaults defaults_of(const Project& project, const Source& source, const BillFormat& format) {
  BillDefaults defaults;
  defaults.is_plain = format.is_plain;
  defaults.currency = source.currency;
  if (defaults.currency.empty() && format.is_plain) defaults.currency = project.currency;
  defaults.project_currency = project.currency;
  return defaults;
}

Month month_of_text(const std::string& text) {
  const std::optional<Month> month = parse_month(text);
  TARE_ASSERT(month.has_value(), "a billing period in the catalog is a month");
  return *month;
}

class BillLoader {
 public:
  BillLoader(const Project& project, const Source& source, const store::Catalog& before,
             const LoadOptions& options, const Progress& progress)
      : project_(project),
        source_(source),
        format_(*find_bill_format(source.format)),
        before_(before),
        options_(options),
        progress_(progress),
        defaults_(defaults_of(project, source, format_)),
        directory_(store::store_directory(project.directory)),
        reader_hash_(reader_hash_of(project, source)),
        periods_(directory_, source.name, defaults_) {}

  // `amortized`: the files of Azure's other export of the same months.
  SourceResult run(const std::vector<DeliveryFile>& files, const Source* amortized,
                   const std::vector<DeliveryFile>& amortized_files) {
    classify(files, source_);
    if (amortized != nullptr) {
      classify(amortized_files, *amortized);
      begin_pair(*amortized);
    }
    find_removed();
    for (const Item& item : items_) {
      if (item.changed) result_.will_read.push_back(item.file.shown);
    }
    if (options_.dry_run || !anything_changed()) {
      keep_everything();
      return std::move(result_);
    }
    refuse_same_bytes();
    std::filesystem::create_directories(directory_);
    read_changed();
    read_again();
    refuse_two_deliveries();
    for (const auto& [period, file] : periods_.all()) add_remainders(scope(source_), *file);
    write_files();
    for (Item& item : items_) result_.inputs.push_back(std::move(item.input));
    return std::move(result_);
  }

 private:
  struct Item {
    FoundFile file;
    const Source* source = nullptr;
    size_t delivery = 0;
    std::string manifest;
    std::optional<int64_t> rows;  // that a manifest says
    store::InputFile input;
    bool changed = true;
  };

  // --- what changed -----------------------------------------------------------------------------

  void classify(const std::vector<DeliveryFile>& files, const Source& source) {
    const bool complete = store_files_exist();
    for (const auto& [file, delivery, manifest, rows] : files) {
      deliveries_ = std::max(deliveries_, delivery + 1);
      Item item{file, &source, delivery, manifest, rows, input_of(source_, file, reader_hash_),
                true};
      item.input.format = source.format;
      const store::InputFile* known = known_input(before_, source_, file);
      if (known != nullptr && !options_.full_refresh && complete) compare(*known, item);
      if (item.changed && known != nullptr) touch(*known);
      items_.push_back(std::move(item));
    }
  }

  void find_removed() {
    std::set<std::string> found;
    for (const Item& item : items_) found.insert(item.file.shown);
    for (const store::InputFile& input : before_.inputs) {
      if (input.source != source_.name || found.contains(input.file)) continue;
      touch(input);
      removed_ = true;
    }
    if (!is_pair_ || !anything_changed()) return;
    // What one row costs may stand in any file of the other export.
    for (Item& item : items_) {
      touch(item.input);
      item.changed = true;
    }
  }

  void begin_pair(const Source& amortized) {
    is_pair_ = true;
    if (deliveries_ == 1) return;
    throw UserError("azure-pair-unclear",
                    "'" + source_.name + "' and '" + amortized.name +
                        "' are two exports of the same months, and 'newest' can't tell which "
                        "deliveries belong together",
                    "keep Azure's manifests beside the files, or one delivery of each month",
                    source_.place);
  }

  // The same bytes under new times are the same input.
  void compare(const store::InputFile& known, Item& item) const {
    bool same = is_unchanged(item.file, known, reader_hash_, options_.verify);
    const bool may_be_same = known.reader_hash == reader_hash_ && known.size == item.file.size;
    if (!same && may_be_same) same = file_sha256(item.file) == known.sha256;
    if (!same) return;
    const store::InputFile now = item.input;
    item.input = known;
    item.input.mtime_ns = now.mtime_ns;
    item.input.ctime_ns = now.ctime_ns;
    item.changed = false;
  }

  void touch(const store::InputFile& input) {
    for (const std::string& period : input.periods) touched_.insert(month_of_text(period));
    homeless_touched_ = homeless_touched_ || input.rows_quarantined > 0;
  }

  bool anything_changed() const {
    return removed_ ||
           std::any_of(items_.begin(), items_.end(), [](const Item& item) { return item.changed; });
  }

  bool is_ours(const store::StoreFile& file) const {
    return file.source == source_.name && (file.kind == "bill" || file.kind == "facts");
  }

  bool store_files_exist() const {
    return std::all_of(before_.files.begin(), before_.files.end(), [&](const auto& file) {
      return !is_ours(file) ||
             std::filesystem::exists(std::filesystem::path(directory_) / file.name);
    });
  }

  void keep_everything() {
    for (const store::StoreFile& file : before_.files) {
      if (is_ours(file)) result_.files.push_back(file);
    }
    if (options_.dry_run) {
      for (const store::InputFile& input : before_.inputs) {
        if (input.source == source_.name) result_.inputs.push_back(input);
      }
      return;
    }
    for (Item& item : items_) result_.inputs.push_back(std::move(item.input));
  }

  // --- reading
  // ------------------------------------------------------------------------------------

  ReadScope scope(const Source& source, const std::string& manifest = "") {
    const bool left_over = shared_.pairing.role == Pairing::Role::kLeftOver;
    const bool compare = items_.size() > 1 && !source_.append && !left_over;
    return {format_, source,           defaults_, periods_, homeless_,
            compare, options_.threads, progress_, shared_,  manifest};
  }

  // R09: what the amortised export says, then the actual one, then what is in the amortised one
  // only.
  void read_pair() {
    using Role = Pairing::Role;
    for (const Role role : {Role::kCollect, Role::kActual, Role::kLeftOver}) {
      shared_.pairing.role = role;
      for (Item& item : items_) {
        if ((item.source == &source_) != (role == Role::kActual)) continue;
        const size_t homeless = homeless_.size();
        const ReadScope read = scope(*item.source, item.manifest);
        if (role == Role::kCollect) {
          read_bill_file(read, item.file, {std::set<Month>(), {}}, &item.input);
          homeless_.resize(homeless);  // they come again with the rows that are left over
        } else {
          read_bill_file(read, item.file, {}, &item.input);
          check_rows(item);
        }
      }
    }
    replaced_.resize(deliveries_);
  }

  void read_changed() {
    if (is_pair_) {
      read_pair();
    } else {
      read_deliveries();
    }
    for (const auto& [period, file] : periods_.all()) touched_.insert(period);
    const bool rows = std::any_of(items_.begin(), items_.end(),
                                  [](const Item& item) { return item.input.rows_in > 0; });
    if (rows) return;
    throw UserError("no-usable-rows",
                    "'" + items_.front().file.shown + "' has a header and no rows",
                    items_.size() > 1 ? "nor has any other file of the source; export it again"
                                      : "export it again",
                    place_at(items_.front().file.shown));
  }

  // Newest first: what a delivery has rows of, older ones are not asked for.
  void read_deliveries() {
    replaced_.resize(deliveries_);
    std::set<Month> covered;
    for (size_t delivery = deliveries_; delivery-- > 0;) {
      replaced_[delivery] = covered;
      std::set<Month> here;
      for (Item& item : items_) {
        if (item.delivery != delivery) continue;
        if (!item.changed && is_replaced_otherwise(item.input, covered)) {
          touch(item.input);
          item.changed = true;
        }
        if (item.changed) {
          read_bill_file(scope(source_, item.manifest), item.file, {std::nullopt, covered},
                         &item.input);
          check_rows(item);
        }
        for (const std::string& period : item.input.periods) here.insert(month_of_text(period));
      }
      covered.merge(here);
    }
  }

  // Whether newer deliveries hold other months than when the file was read.
  static bool is_replaced_otherwise(const store::InputFile& input, const std::set<Month>& covered) {
    const auto is_covered = [&](const std::string& period) {
      return covered.contains(month_of_text(period));
    };
    const auto& kept = input.periods;
    const auto& replaced = input.replaced_periods;
    return std::any_of(kept.begin(), kept.end(), is_covered) ||
           !std::all_of(replaced.begin(), replaced.end(), is_covered);
  }

  static void check_rows(const Item& item) {
    if (!item.rows || *item.rows == item.input.rows_in) return;
    throw UserError("manifest-rows-differ",
                    "'" + item.file.shown + "' has " + std::to_string(item.input.rows_in) +
                        " rows, and its manifest says " + std::to_string(*item.rows),
                    "fetch the file again; nothing of it was loaded", place_at(item.file.shown));
  }

  // What did not change gives the touched periods their other rows.
  void read_again() {
    homeless_touched_ = homeless_touched_ || !homeless_.empty();
    for (Item& item : items_) {
      if (item.changed) continue;
      const bool shares = std::any_of(
          item.input.periods.begin(), item.input.periods.end(),
          [&](const std::string& period) { return touched_.contains(month_of_text(period)); });
      const bool homeless = homeless_touched_ && item.input.rows_quarantined > 0;
      if (shares || homeless) {
        read_bill_file(scope(source_, item.manifest), item.file,
                       {touched_, replaced_[item.delivery]}, &item.input);
      }
    }
    // Their file stays as it is, so what was read of them once more is left.
    if (!homeless_touched_) homeless_.clear();
  }

  // --- deliveries (R08)
  // ---------------------------------------------------------------------------

  [[noreturn]] void two_deliveries(const std::string& first, const std::string& second,
                                   const std::string& why) const {
    const std::string where = source_.place.line > 0 ? " (" + to_text(source_.place) + ")" : "";
    throw UserError("two-deliveries", "'" + first + "' and '" + second + "' " + why,
                    "say which is newer at source '" + source_.name + "'" + where +
                        ": 'newest: folder' or 'newest: file' (the last by name), or name it in "
                        "'path:'",
                    source_.place);
  }

  [[noreturn]] void named_twice(const std::string& file) const {
    throw UserError("two-deliveries", "'" + file + "' is named by two sources of tare.yaml",
                    "leave one of them out", source_.place);
  }

  void refuse_same_bytes() {
    std::vector<FoundFile> others;
    for (const Source& other : project_.sources) {
      if (other.kind != SourceKind::kBill || other.name == source_.name) continue;
      if (paired_export(project_, source_) == &other) continue;  // among the items already
      // A source without files is refused by its own load.
      for (DeliveryFile& file :
           choose_deliveries(project_, other, look_for_files(project_, other))) {
        others.push_back(std::move(file.file));
      }
    }
    std::map<std::string, std::string> by_hash;
    std::map<int64_t, int> sizes;
    for (const Item& item : items_) ++sizes[item.file.size];
    for (const FoundFile& file : others) ++sizes[file.size];
    const auto check = [&](const FoundFile& file) {
      if (sizes[file.size] < 2 || file.size == 0) return;
      const auto [at, is_new] = by_hash.emplace(file_sha256(file), file.shown);
      if (!is_new && at->second == file.shown) named_twice(file.shown);
      if (!is_new) two_deliveries(at->second, file.shown, "are byte for byte the same bill");
    };
    // Of a source's own deliveries one may be as another is: then nothing was restated.
    // And where no benefit was used, Azure's two exports of a month are the same.
    if (deliveries_ == 1) {
      for (const Item& item : items_) {
        if (item.source == &source_) check(item.file);
      }
    }
    for (const FoundFile& file : others) check(file);
  }

  void refuse_two_deliveries() {
    for (const auto& [period, file] : periods_.all()) {
      const auto pair = file->deliveries().find_overlap();
      if (!pair) continue;
      two_deliveries(pair->first, pair->second,
                     "are two deliveries of " + to_text(period) +
                         ": more than half of the rows of one stand in the other");
    }
  }

  // --- writing
  // ------------------------------------------------------------------------------------

  // Of a period's store file: the same rows under the same names give the same name.
  std::string content_hash(Month period) const {
    HashBuilder hash;
    hash.add("bill").add(int64_t{store::kSchemaVersion}).add(source_.name).add(reader_hash_);
    hash.add(int64_t{period.index});
    for (const Item& item : items_) {
      const auto& periods = item.input.periods;
      if (std::find(periods.begin(), periods.end(), to_text(period)) == periods.end()) continue;
      hash.add(item.input.file).add(item.input.sha256);
    }
    return to_text(hash.finish());
  }

  void write_files() {
    for (const store::StoreFile& file : before_.files) {
      if (!is_ours(file)) continue;
      const bool replaced =
          file.kind == "bill" ? touched_.contains(month_of_text(file.period)) : homeless_touched_;
      if (!replaced) result_.files.push_back(file);
    }
    for (const auto& [period, file] : periods_.all()) {
      result_.files.push_back(file->seal(content_hash(period)));
    }
    if (!homeless_.empty()) result_.files.push_back(write_homeless());
  }

  // Rows of which not even the billing period is known stand in a file of their own.
  store::StoreFile write_homeless() {
    // What changed was read first; the file must not depend on that.
    std::sort(homeless_.begin(), homeless_.end(), [](const UnusableRow& a, const UnusableRow& b) {
      return std::tie(a.place, a.text) < std::tie(b.place, b.text);
    });
    HashBuilder hash;
    hash.add("homeless").add(source_.name).add(reader_hash_);
    for (const UnusableRow& row : homeless_) hash.add(row.place).add(row.text).add(row.code);
    store::StoreFile file;
    file.kind = "facts";
    file.source = source_.name;
    file.table = "quarantine";
    file.derived_from = to_text(hash.finish());
    store::FileWriter writer(directory_,
                             "facts-" + slug_of(source_.name) + "-" + file.derived_from);
    store::TableWriter quarantine = writer.table("quarantine", store::quarantine_columns());
    Findings findings;
    for (const UnusableRow& row : homeless_)
      write_unusable(quarantine, findings, source_.name, row);
    file.rows = quarantine.rows();
    quarantine.close();
    store::write_findings(writer, findings);
    file.name = writer.seal();
    return file;
  }

  const Project& project_;
  const Source& source_;
  const BillFormat& format_;
  const store::Catalog& before_;
  const LoadOptions& options_;
  const Progress& progress_;
  BillDefaults defaults_;
  std::string directory_, reader_hash_;
  PeriodFiles periods_;
  NativeShared shared_;
  bool is_pair_ = false;  // of Azure's actual and amortised exports
  std::vector<Item> items_;
  size_t deliveries_ = 1;
  std::vector<std::set<Month>> replaced_;  // by delivery: the months of newer ones
  std::set<Month> touched_;
  std::vector<UnusableRow> homeless_;
  bool removed_ = false, homeless_touched_ = false;
  SourceResult result_;
};

}  // namespace

SourceResult load_bill_source(const Project& project, const Source& source,
                              const std::vector<FoundFile>& files, const store::Catalog& before,
                              const LoadOptions& options, const Progress& progress) {
  const Source* paired = paired_export(project, source);
  if (paired != nullptr && source.format == "azure-amortized") return {};
  std::vector<DeliveryFile> amortized;
  std::vector<std::string> left_out;
  if (paired != nullptr) {
    amortized = choose_deliveries(project, *paired, find_files(project, *paired), &left_out);
  }
  const std::vector<DeliveryFile> own = choose_deliveries(project, source, files, &left_out);
  SourceResult result =
      BillLoader(project, source, before, options, progress).run(own, paired, amortized);
  result.left_out.insert(result.left_out.end(), left_out.begin(), left_out.end());
  return result;
}

}  // namespace tare::sources
