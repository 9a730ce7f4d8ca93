// The commands, one file each. Each returns the exit code, and throws UserError for what can't be
// used.
#pragma once

#include "cli/options.h"

namespace tare::cli {

int run_init(const Options& options);
int run_load(const Options& options);
int run_report(const Options& options);
int run_cost(const Options& options);
int run_waste(const Options& options);
int run_close(const Options& options);
int run_reconcile(const Options& options);
int run_findings(const Options& options);
int run_explain(const Options& options);
int run_sql(const Options& options);
int run_export(const Options& options);
int run_export_focus(const Options& options);  // of run_export
int run_synth(const Options& options);
int run_completions(const Options& options);
int run_man(const Options& options);
int run_help(const Options& options);
int run_version(const Options& options);
int run_help_markdown(const Options& options);

}  // namespace tare::cli
