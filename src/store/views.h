// The views of an open store, made from the files that its catalog names.
#pragma once

#include <string>
#include <vector>

#include "store/catalog.h"
#include "store/database.h"

namespace tare::store {

struct AttachedFile {
  StoreFile file;
  std::string alias;
  int number = 0;  // of its (source, period): a bill file and its ledger file have the same
};

// Numbers and aliases, in the order of the catalog.
std::vector<AttachedFile> number_files(const Catalog& catalog);

// Creates the tables and views in the connection's in-memory database. Requires the files attached.
void create_views(Connection& connection, const Catalog& catalog,
                  const std::vector<AttachedFile>& attached);

}  // namespace tare::store
