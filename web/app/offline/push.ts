// Notifications of the browser, which worker/push.ts shows. Browsers offer them only with script.

/** The state of push in this browser: whether it can, may and does. */
export type PushState = { is: 'unsupported' | 'blocked' | 'off' } | { is: 'on'; fingerprint: string };

/** The user or the browser refused. */
export class PushRefused extends Error {}

function hasPush(): boolean {
  return (
    import.meta.env.PROD &&
    'serviceWorker' in navigator &&
    'PushManager' in window &&
    typeof Notification === 'function'
  );
}

async function manager(): Promise<PushManager> {
  return (await navigator.serviceWorker.ready).pushManager;
}

/** SHA-256 of a subscription's address, by which the API names it. */
async function fingerprintOf({ endpoint }: PushSubscription): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint)));
  return btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

export async function readPushState(): Promise<PushState> {
  if (!hasPush()) return { is: 'unsupported' };
  if (Notification.permission === 'denied') return { is: 'blocked' };
  const subscription = await (await manager()).getSubscription();
  return subscription ? { is: 'on', fingerprint: await fingerprintOf(subscription) } : { is: 'off' };
}

/** Asks for permission and subscribes. Returns the subscription as JSON. */
export async function subscribe(publicKey: string, person: string): Promise<string> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushRefused();
  const push = await manager();
  // One that is left from other keys cannot be renewed.
  await (await push.getSubscription())?.unsubscribe();
  const subscription = await push.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  // The worker ends it when somebody else uses this browser.
  (await navigator.serviceWorker.ready).active?.postMessage({ kind: 'shows', person });
  return JSON.stringify(subscription.toJSON());
}

export async function unsubscribe(): Promise<void> {
  await (await (await manager()).getSubscription())?.unsubscribe();
}
