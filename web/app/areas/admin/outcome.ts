/** Which events of the content platform an address asks for; undefined for all. */
export function outcomeOf(url: URL): 'applied' | 'ignored' | undefined {
  const given = url.searchParams.get('outcome');
  return given === 'applied' || given === 'ignored' ? given : undefined;
}
