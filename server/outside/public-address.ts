import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Extracts the IPv4 address from an IPv4-mapped or NAT64 address; returns other addresses unchanged. */
function unwrap(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const isNat64 = address.match(ipaddr.IPv6.parse('64:ff9b::'), 96);
  return isNat64 ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

/** A public-looking address at which Azure's platform serves secrets to its virtual machines. */
const AZURE_HOST = '168.63.129.16';

/**
 * Checks for a public unicast address. For IPv6, only the global range (2000::/3) is accepted, without 6to4 and Teredo,
 * which can embed any IPv4 address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = unwrap(ipaddr.parse(text));
  if (address.range() !== 'unicast' || address.toString() === AZURE_HOST) return false;
  return address instanceof ipaddr.IPv4 || address.match(ipaddr.IPv6.parse('2000::'), 3);
}

/** Checks whether `host:port` is on the allow list, which exempts it from the address check. */
export function isAllowed(url: URL, allow: readonly string[]): boolean {
  return allow.includes(`${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`);
}

/** Checks everything about a URL that can be checked before its name is resolved. */
export function isFetchable(url: URL, allow: readonly string[]): boolean {
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return false;
  if (isAllowed(url, allow)) return true;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isStandardPort = url.port === '' || url.port === '80' || url.port === '443';
  return isStandardPort && host !== '' && (isIP(host) === 0 || isPublicAddress(host));
}
