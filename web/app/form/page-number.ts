/** The number of the requested page of a list, from 1. */
export const pageNumberOf = (url: URL): number => Math.max(Math.trunc(Number(url.searchParams.get('page')) || 1), 1);
