/** On Windows: the system, its administrators, and the installer of its own files. */
const ADMINISTRATORS = [
  "SY",
  "BA",
  "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464",
];
const ONLY_READING = [
  "FR",
  "FX",
  "FRFX",
  "GR",
  "GX",
  "GRGX",
  "GXGR",
  "0x1200a9",
  "0x120089",
  "0x120080",
];
/** An entry of an access list: type, flags, rights, two kinds of object, account. */
const ENTRY = /\(([A-Z]+);([A-Z]*);([^;()]*);[^;()]*;[^;()]*;([^;()]*)\)/g;

/**
 * Whether nobody but administrators can change a file on Windows, by its security descriptor in text form
 * (SDDL). Rights that are not known to be for reading count as writing.
 */
export function isProtectedOnWindows(sddl: string): boolean {
  const owner = /^O:(S-[\d-]+|[A-Z]{2})/.exec(sddl)?.[1] ?? "";
  const list = /D:[A-Z]*((?:\([^()]*\))+)(?:S:|$)/.exec(sddl)?.[1];
  if (!ADMINISTRATORS.includes(owner) || list === undefined) return false;
  const entries = [...list.matchAll(ENTRY)];
  if (entries.map(([entry]) => entry).join("") !== list) return false;
  return entries.every(([, type, flags = "", rights = "", account = ""]) => {
    const onlyForNewFiles = flags.includes("IO");
    if (type === "D" || onlyForNewFiles || ADMINISTRATORS.includes(account)) return true;
    return type === "A" && ONLY_READING.includes(rights);
  });
}

const OTHERS_MAY_WRITE = 0o022;

/** The same where files have an owner and a mode. */
export const isProtectedByMode = ({ uid, mode }: { readonly uid: number; readonly mode: number }) =>
  uid === 0 && (mode & OTHERS_MAY_WRITE) === 0;
