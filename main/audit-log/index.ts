export { exportLog } from "./export-log.ts";
export { LineSplitter } from "./split-lines.ts";
export { type VerifyReport, verifyDatabase, verifyFile } from "./verify-log.ts";
export { type AuditFileErrorCode, auditFileError, writeAside } from "./write-aside.ts";
