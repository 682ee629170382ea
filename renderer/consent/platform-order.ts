/**
 * Whether the system's own dialogs put the answer that does nothing first: on Windows it comes
 * after the others, elsewhere before. @param platform as in `navigator.platform`
 */
export const deniesFirst = (platform: string): boolean => !/^win/i.test(platform);
