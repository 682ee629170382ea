import { type NetworkHost, networkHostOf } from "../../../app/contract/network-host.ts";

/**
 * Parses a host as typed by the person, such as `nas:8080` or `http://nas:8080`, into the form that
 * rules compare. Without a port or scheme, it means both default web ports. Empty for anything
 * else, including an address with a path. Pure.
 */
export function readHosts(typed: string): readonly NetworkHost[] {
  const [, scheme, text = ""] = /^(https?:\/\/)?(.*?)\/?$/isu.exec(typed.trim()) ?? [];
  const bracketed = isBareIpv6(text) ? `[${text}]` : text;
  if (!/^(?:\[[0-9a-f:.]+\]|[^\s/?#@:\\[\]]+)(?::\d{1,5})?$/iu.test(bracketed)) return [];
  const hosts = (scheme === undefined ? ["http://", "https://"] : [scheme])
    .map((start) => URL.parse(`${start}${bracketed}/`))
    .filter((url) => url !== null)
    .map(networkHostOf)
    .filter(({ host, port }) => host !== "" && !host.endsWith(".") && port > 0);
  const ports = new Map(hosts.map((host) => [host.port, host]));
  return /:\d+$/u.test(bracketed) ? [...ports.values()].slice(-1) : [...ports.values()];
}

const isBareIpv6 = (text: string): boolean => text.split(":").length > 2 && !text.startsWith("[");
