// The order of work: plan, records, the bill month by month with its truth, then what sums it up.
#include "synth/synth.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/errors.h"
#include "synth/line_files.h"
#include "synth/truth_files.h"
#include "synth/world_files.h"

namespace tare::synth {
namespace {

namespace fs = std::filesystem;

// A folder that is made, and where `scratch` is said gone again at the end.
class Folder {
 public:
  explicit Folder(fs::path path, bool scratch = false) : path_(std::move(path)), scratch_(scratch) {
    std::error_code error;
    fs::create_directories(path_, error);
    if (error) {
      throw UserError("file-not-written",
                      "the folder '" + path_.string() + "' can't be made: " + error.message());
    }
  }
  ~Folder() {
    std::error_code ignored;
    if (scratch_) fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string string() const { return path_.string(); }

 private:
  fs::path path_;
  bool scratch_;
};

class WorldWriter {
 public:
  WorldWriter(World* world, const Progress& progress)
      : world_(*world),
        wanted_(world->wanted),
        progress_(progress),
        folder_(wanted_.folder),
        scratch_(fs::path(wanted_.folder) / ".synth-part", true),
        truth_folder_(fs::path(wanted_.folder) / "truth") {}

  Written write() {
    World& world = world_;
    const Dims dims = make_dims(&world);
    Written written;
    show("writing records", 0, 0);
    const Destination records{folder_.string(), scratch_.string(), wanted_.format};
    write_records(world, records, &written);
    Truth truth(world);
    const std::vector<PeriodTotals> totals = write_bill(world, dims, &truth, &written);
    write_invoices(world, totals, records, &written);
    write_truth(world, truth, truth_to());
    if (wanted_.restate) write_restated(world, dims);
    write_project(world, folder_.string(), written);
    return written;
  }

 private:
  void show(const std::string& stage, int64_t done, int64_t total) const {
    if (progress_) progress_({stage, done, total});
  }

  // CSV whatever the world's files are: all that compares itself with the truth can read it.
  Destination truth_to() const {
    return {truth_folder_.string(), scratch_.string(), FileFormat::kCsv};
  }

  PeriodTotals write_period(const World& world, const Dims& dims, int32_t month, bool restated,
                            Truth* truth) {
    constexpr int64_t kShowEvery = 100'000;
    const std::string period = to_text(Month{world.first_month.index + month});
    const Folder folder(fs::path(wanted_.folder) / (restated ? "restated" : "bill") / period);
    LineFiles files(world, dims, month, {folder.string(), scratch_.string(), wanted_.format},
                    wanted_.threads);
    int64_t lines = 0;
    const PeriodTotals totals =
        make_period(world, dims, month, restated, truth, [&](const BillLine& line) {
          files.add(line);
          if (++lines % kShowEvery == 0) {
            show("writing bill " + period, done_ + lines, wanted_.bill_lines);
          }
        });
    files.finish();
    return totals;
  }

  std::vector<PeriodTotals> write_bill(const World& world, const Dims& dims, Truth* truth,
                                       Written* written) {
    AccountsFile accounts(world, truth_to(), "accounts");
    std::vector<PeriodTotals> totals;
    for (int32_t month = 0; month < wanted_.months; ++month) {
      totals.push_back(write_period(world, dims, month, false, truth));
      done_ += totals.back().lines;
      accounts.add_period(month, *truth);
      truth->begin_period();
    }
    TARE_ASSERT(done_ == wanted_.bill_lines, "a world has the bill lines wanted");
    accounts.write();
    written->emplace_back("bill lines", done_);
    return totals;
  }

  void write_restated(const World& world, const Dims& dims) {
    const auto month = static_cast<int32_t>(wanted_.months - 1);
    Truth truth(world);
    write_period(world, dims, month, true, &truth);
    AccountsFile accounts(world, truth_to(), "accounts-restated");
    accounts.add_period(month, truth);
    accounts.write();
  }

  World& world_;
  const Wanted& wanted_;
  const Progress& progress_;
  Folder folder_, scratch_, truth_folder_;
  int64_t done_ = 0;
};

}  // namespace

Written write_world(const Wanted& wanted, const Progress& progress) {
  // First, so that numbers which can't be met leave no folder behind.
  World world = plan_world(wanted);
  return WorldWriter(&world, progress).write();
}

}  // namespace tare::synth
