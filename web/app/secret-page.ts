/** For pages whose address carries a secret: it goes nowhere else and is kept nowhere. */
export function secretPageHeaders() {
  return { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' };
}
