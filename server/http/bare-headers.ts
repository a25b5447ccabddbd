/**
 * What is sent with an answer to something that was never a request of ours: no hook has run, so no plugin has set the
 * headers that other answers carry. It is JSON, and no browser may take it for anything else.
 */
export function bareHeaders(requestId: string, { secure }: { secure: boolean }): Record<string, string> {
  return {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none';base-uri 'none';object-src 'none';frame-ancestors 'none'",
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}
