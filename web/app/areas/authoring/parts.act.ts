import { nameCommunityOwner, orderJourneys, readPiece, removeCommunityOwner } from '@officium/contract/authoring';
import type { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { redirect } from '../../server/redirect.ts';
import { addressOf, type Kind } from './kinds.ts';

type Acting = Awaited<ReturnType<typeof act>>;
type Params = { kind: Kind; key: string };

/** Whether an intent is handled by `partsAction` instead of the draft. */
export function isOfParts(intent: string): boolean {
  return /^(journey-|owner-)/.test(intent);
}

/** Moves a journey of a course or changes the owners of a community, immediately and regardless of the draft. */
export async function partsAction({ api, attempt, fields }: Acting, { kind, key }: Params) {
  const [intent = '', what = ''] = textOf(fields, 'intent').split(':', 2);
  if (intent === 'owner-add' || intent === 'owner-remove') {
    const email = textOf(fields, 'email').trim();
    const done =
      intent === 'owner-add'
        ? await attempt(nameCommunityOwner, { params: { key }, body: { email } })
        : await attempt(removeCommunityOwner, { params: { key, email } });
    return done.ok ? redirectWith(addressOf(kind, key, '#owners'), { key: 'common.saved' }) : done.refusal;
  }
  const { parts } = await api(readPiece, { params: { kind, key } });
  const journeys = parts.filter((part) => part.state !== 'draft').map((part) => part.key);
  const at = journeys.indexOf(what);
  const to = intent === 'journey-up' ? at - 1 : at + 1;
  if (at >= 0 && to >= 0 && to < journeys.length) journeys.splice(to, 0, ...journeys.splice(at, 1));
  const done = await attempt(orderJourneys, { params: { key }, body: { journeys } });
  return done.ok ? redirect(addressOf(kind, key, '#journeys')) : done.refusal;
}
