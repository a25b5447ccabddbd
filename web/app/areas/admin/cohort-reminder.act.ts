import { MAX_REMINDED_BY_ID, remindLearners, REMINDED_STATES } from '@officium/contract/cohort-reminders';
import { optionalOf, textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { act } from '../../server/api.ts';
import type { Route } from './+types/cohort-progress.page';

type Args = Pick<Route.ActionArgs, 'request' | 'context' | 'params'>;

/** Sends a reminder to the selected people, or to everyone in a state. */
export async function sendReminder({ request, context, params }: Args) {
  const { attempt, fields, url } = await act(request, context);
  const here = `/admin/cohorts/${params.id}/progress${url.search}`;
  const whom = textOf(fields, 'whom');
  const userIds = [...new Set(fields.getAll('userId').map(String))].slice(0, MAX_REMINDED_BY_ID);
  const isSelected = whom === 'selected';
  if (isSelected && userIds.length === 0)
    return redirectWith(here, { key: 'admin.people_none_selected', tone: 'info' });
  const state = REMINDED_STATES.find((one) => one === whom);
  const words = optionalOf(fields, 'words');
  const sent = await attempt(remindLearners, {
    params: { id: params.id, journeyId: textOf(fields, 'journey') },
    body: { ...(isSelected ? { userIds } : {}), ...(state ? { state } : {}), ...(words ? { words } : {}) },
  });
  return sent.ok ? redirectWith(here, { key: 'admin.cohorts_reminded', values: sent.body }) : sent.refusal;
}
