export { exportLog } from "./export-log.ts";
export { PiecemealLog } from "./piecemeal-log.ts";
export { LineSplitter } from "./split-lines.ts";
export { type VerifyReport, verifyDatabase, verifyFile } from "./verify-log.ts";
export { AuditFileError, writeAside } from "./write-aside.ts";
