import { checkPath, type PathPlatform } from "./path-rules.ts";

/**
 * Folders whose files belong to the kernel or a device, not to the person (docs/threat-model.md).
 */
const PLACES: ReadonlySet<string> = new Set(["proc", "sys", "dev"]);

/** Whether this is `/proc`, `/sys`, `/dev` or anything below, by name. Pure. */
export function isKernelPlace(path: string, platform: PathPlatform): boolean {
  if (platform === "win32") return false;
  const checked = checkPath(path, platform);
  return checked.ok && PLACES.has(checked.path.components[0] ?? "");
}

/** statfs(2) `f_type` of file systems that contain nobody's files (linux/magic.h). */
const KERNEL_TYPES: ReadonlySet<number> = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x73636673, // securityfs
  0x62656570, // configfs
  0x0027e0eb, // cgroup
  0x63677270, // cgroup2
  0x1cd1, // devpts
  0x6165676c, // pstore
  0xcafe4a11, // bpf
  0xde5e81e4, // efivarfs
  0x42494e4d, // binfmt_misc
  0xf97cff8c, // selinux
]);

/** Whether this is a kernel file system, wherever it is mounted (such as `/proc` in a chroot). */
export const isKernelFileSystem = (type: number): boolean => KERNEL_TYPES.has(type >>> 0);
