/** What is data loads nothing and is shown in no frame, should a browser take it for a page. */
export const DATA_POLICY = "default-src 'none';base-uri 'none';object-src 'none';frame-ancestors 'none'";

/** What of a device no page of ours asks for, so that nothing that got into one can. Passkeys and copying stay. */
export const PERMISSIONS =
  'accelerometer autoplay camera display-capture encrypted-media fullscreen geolocation gyroscope hid magnetometer microphone midi payment picture-in-picture screen-wake-lock serial usb xr-spatial-tracking'
    .split(' ')
    .map((feature) => `${feature}=()`)
    .join(', ');

/**
 * What is sent with an answer to something that was never a request of ours: no hook has run, so no plugin has set the
 * headers that other answers carry. It is JSON, and no browser may take it for anything else.
 */
export function bareHeaders(requestId: string, { secure }: { secure: boolean }): Record<string, string> {
  return {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'permissions-policy': PERMISSIONS,
    'referrer-policy': 'no-referrer',
    'content-security-policy': DATA_POLICY,
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}
