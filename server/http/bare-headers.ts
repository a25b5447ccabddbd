/** For data that a browser might take for a page: nothing is loaded, and no frame shows it. */
export const DATA_POLICY = "default-src 'none';base-uri 'none';object-src 'none';frame-ancestors 'none'";

/**
 * Device features that none of our pages uses, denied so that injected script cannot use them. Passkeys, copying, and
 * recordings in full screen stay allowed.
 */
export const PERMISSIONS =
  'accelerometer autoplay camera display-capture encrypted-media geolocation gyroscope hid magnetometer microphone midi payment screen-wake-lock serial usb xr-spatial-tracking'
    .split(' ')
    .map((feature) => `${feature}=()`)
    .join(', ');

/**
 * Headers for answers to unparsable requests: no hook has run, so no plugin has set the usual headers. The body is
 * JSON, and browsers must not render it.
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
