export interface PickingDoor {
  call(
    name: "folders.pick",
    args: { start_at?: string },
  ): Promise<{ readonly path: string | null }>;
}

/** If a picker cannot be shown, nothing was chosen. */
export async function pickedFolder(door: PickingDoor, startAt: string): Promise<string | null> {
  try {
    const picked = await door.call("folders.pick", startAt === "" ? {} : { start_at: startAt });
    return picked.path;
  } catch {
    return null;
  }
}
