import { z } from 'zod';
import { Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Errors of these operations, with their status. */
export const pushErrors = {
  'push.wrong_address': { status: 400, message: 'This is not the address of a public push service.' },
} as const;

/** The devices of a person. Another one takes the place of the one that was used least recently. */
export const MAX_PUSH_DEVICES = 10;
/** A device that nothing reached and nobody showed us for so long is forgotten. */
export const PUSH_DEVICE_DAYS = 180;

/** Base64url of exactly this many bytes. */
function bytes(length: number) {
  const letters = Math.ceil((length * 4) / 3);
  return z.string().regex(new RegExp(`^[\\w-]{${letters}}={0,2}$`), `Must be base64url of ${length} bytes`);
}

export const PushDevice = z
  .object({
    id: Uuid,
    userAgent: z.string().nullable(),
    fingerprint: z
      .string()
      .describe('SHA-256 of its address, as base64url, by which a browser recognises its own subscription'),
    createdAt: Timestamp,
  })
  .meta({ id: 'PushDevice' });

export const readPush = endpoint({
  name: 'readPush',
  service: 'notifications',
  method: 'GET',
  path: '/push',
  auth: 'user',
  extension: true,
  summary: 'Read the key for push subscriptions and my devices',
  description: 'Devices that show my notifications, most recently used first.',
  replies: {
    200: z.object({
      publicKey: z.string().describe('`applicationServerKey` of a subscription, as base64url (RFC 8292)'),
      devices: z.array(PushDevice),
    }),
  },
});

export const addPushDevice = endpoint({
  name: 'addPushDevice',
  service: 'notifications',
  method: 'POST',
  path: '/push',
  auth: 'user',
  extension: true,
  summary: 'Show my notifications on a device',
  description: `The body is a browser's \`PushSubscription\` as JSON. Its address must be https at a public host (400). A known address is taken over, so that a device shows the notifications of one person. Beyond ${MAX_PUSH_DEVICES} devices the one that was used least recently ends. It ends too when its session is ended, though not when that runs out.`,
  body: z.object({
    endpoint: z.url().max(1000),
    keys: z.object({
      p256dh: bytes(65).describe('The public key of the browser (RFC 8291)'),
      auth: bytes(16).describe('Its secret'),
    }),
  }),
  replies: { 200: z.object({ id: Uuid }) },
  errors: ['push.wrong_address'],
});

export const removePushDevice = endpoint({
  name: 'removePushDevice',
  service: 'notifications',
  method: 'DELETE',
  path: '/push/{id}',
  auth: 'user',
  extension: true,
  summary: 'Stop showing my notifications on a device',
  params: z.object({ id: Uuid }),
  replies: { 200: z.object({ removed: z.literal(true) }) },
});
