/** Reads the outcome filter of webhooks from the address; undefined for all. */
export function outcomeOf(url: URL): 'applied' | 'ignored' | undefined {
  const given = url.searchParams.get('outcome');
  return given === 'applied' || given === 'ignored' ? given : undefined;
}
