import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The IPv4 address inside an IPv4-mapped or NAT64 one; any other address as it is. */
function unwrap(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const isNat64 = address.match(ipaddr.IPv6.parse('64:ff9b::'), 96);
  return isNat64 ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

/** Looks public and is the host of every virtual machine of Azure, which answers it with secrets. */
const AZURE_HOST = '168.63.129.16';

/**
 * Is this the address of one machine of the public internet? Of IPv6 only what is given out as global (2000::/3) counts;
 * 6to4 and Teredo, in which any IPv4 address can be hidden, do not.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = unwrap(ipaddr.parse(text));
  if (address.range() !== 'unicast' || address.toString() === AZURE_HOST) return false;
  return address instanceof ipaddr.IPv4 || address.match(ipaddr.IPv6.parse('2000::'), 3);
}

/** Is its `host:port` in the list of those that may be fetched whatever their address? */
export function isAllowed(url: URL, allow: readonly string[]): boolean {
  return allow.includes(`${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`);
}

/** May this address be fetched, as far as can be told before its name is looked up? */
export function isFetchable(url: URL, allow: readonly string[]): boolean {
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return false;
  if (isAllowed(url, allow)) return true;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isStandardPort = url.port === '' || url.port === '80' || url.port === '443';
  return isStandardPort && host !== '' && (isIP(host) === 0 || isPublicAddress(host));
}
