import type { PlatformServices } from "./platform-services.ts";

/** Several hosts as one: the first that offers the service at that moment provides it. */
export function firstAvailable(services: readonly PlatformServices[]): PlatformServices {
  return {
    clipboard: () => firstOf(services, (service) => service.clipboard()),
    clipboardImages: () => firstOf(services, (service) => service.clipboardImages()),
    notifications: () => firstOf(services, (service) => service.notifications()),
    location: () => firstOf(services, (service) => service.location()),
    folderPicker: () => firstOf(services, (service) => service.folderPicker()),
  };
}

function firstOf<T>(
  services: readonly PlatformServices[],
  ask: (service: PlatformServices) => T | null,
): T | null {
  for (const service of services) {
    const found = ask(service);
    if (found !== null) return found;
  }
  return null;
}
