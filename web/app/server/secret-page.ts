/** Headers for pages whose address contains a secret: no referrer, no caching. */
export function secretPageHeaders() {
  return { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' };
}
