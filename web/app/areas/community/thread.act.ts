import {
  createActivityReaction,
  createChildReaction,
  deleteActivity,
  deleteReaction,
  updateActivity,
  updateReaction,
} from '@officium/contract/community';
import { decideReports, reportContent } from '@officium/contract/moderation';
import { removeCommunityPoll } from '@officium/contract/polls';
import { bodyWithPicture, keepBody } from '../../editor/picture.act.ts';
import type { act } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { optionalOf, textOf } from '../../form/fields.ts';
import { reasonOf } from '../../form/reason-field.ts';
import { redirect } from '../../server/redirect.ts';
import { ruleOf } from './rules.tsx';
import { queryOfReply, queryOfThread, threadOf } from './thread-address.ts';
import { categoriesOf } from './write-fields.tsx';
import { pictureSender } from './upload-picture.act.ts';
import { additionalOf, localeOfText } from './write.ts';

type Args = Awaited<ReturnType<typeof act>>;
type At = { slug: string; id: string };

/** Handles the forms of a thread page. */
export async function answerThread(args: Args, at: At) {
  const intent = textOf(args.fields, 'intent');
  if (intent.startsWith('reply')) return await reply(args, at);
  if (intent === 'edit-post') return await editPost(args, at);
  if (intent.startsWith('edit-reply')) return await editReply(args, at);
  if (intent.startsWith('report')) return await report(args, at);
  if (intent.startsWith('remove')) return await remove(args, at, intent);
  return redirect(backOf(args, at));
}

const hereOf = ({ slug, id }: At) => `/communities/${slug}/activities/${id}`;
const backOf = ({ url }: Args, at: At) => hereOf(at) + queryOfThread(threadOf(url.searchParams));

async function reply(args: Args, at: At) {
  const { attempt, fields } = args;
  const written = await bodyWithPicture(args, pictureSender(args, at.slug));
  if (written.refusal) return written.refusal;
  const parent = optionalOf(fields, 'parent');
  const done = await attempt(parent ? createChildReaction : createActivityReaction, {
    params: { slug: at.slug, id: parent ?? at.id },
    body: { kind: 'reply', body: written.body, locale: localeOfText(fields) },
  });
  return done.ok
    ? redirectWith(hereOf(at) + queryOfReply(done.body.id), { key: 'community.replied' })
    : keepBody(done.refusal, written.body);
}

async function editPost(args: Args, at: At) {
  const { attempt, fields } = args;
  const written = await bodyWithPicture(args, pictureSender(args, at.slug));
  if (written.refusal) return written.refusal;
  const body = {
    title: optionalOf(fields, 'title'),
    body: written.body,
    categories: categoriesOf(fields),
    additional_data: additionalOf(fields),
  };
  const done = await attempt(updateActivity, { params: at, body });
  return done.ok ? redirectWith(backOf(args, at), { key: 'common.saved' }) : keepBody(done.refusal, written.body);
}

async function editReply(args: Args, at: At) {
  const { attempt, fields } = args;
  const id = textOf(fields, 'target');
  const written = await bodyWithPicture(args, pictureSender(args, at.slug));
  if (written.refusal) return written.refusal;
  const body = { body: written.body, additional_data: additionalOf(fields) };
  const done = await attempt(updateReaction, { params: { slug: at.slug, id }, body });
  return done.ok
    ? redirectWith(`${backOf(args, at)}#${id}`, { key: 'common.saved' })
    : keepBody(done.refusal, written.body);
}

async function report(args: Args, at: At) {
  const { attempt, fields } = args;
  const id = textOf(fields, 'target');
  const kind = textOf(fields, 'kind') === 'reaction' ? 'reaction' : 'activity';
  const done = await attempt(reportContent, {
    body: {
      community: at.slug,
      kind,
      id,
      reason: reasonOf(fields),
      note: optionalOf(fields, 'note'),
      rule: ruleOf(fields),
    },
  });
  return done.ok ? redirectWith(`${backOf(args, at)}#${id}`, { key: 'thread.reported' }) : done.refusal;
}

/** Deletion without script. With script, `removal-call.ts` sends it after the time for undo. */
async function remove(args: Args, at: At, intent: string) {
  const { attempt, fields } = args;
  const { slug } = at;
  const isReply = intent === 'remove-reply';
  const id = isReply ? textOf(fields, 'target') : at.id;
  const params = { slug, id };
  const done = fields.has('reason')
    ? await attempt(decideReports, {
        body: {
          community: slug,
          kind: isReply ? 'reaction' : 'activity',
          id,
          decision: 'remove',
          reason: reasonOf(fields),
          note: optionalOf(fields, 'note'),
        },
      })
    : isReply
      ? await attempt(deleteReaction, { params })
      : intent === 'remove-poll'
        ? await attempt(removeCommunityPoll, { params })
        : await attempt(deleteActivity, { params });
  if (!done.ok) return done.refusal;
  if (isReply) {
    const view = threadOf(args.url.searchParams);
    const left = { ...view, at: view.at === id ? undefined : view.at };
    return redirectWith(`${hereOf(at)}${queryOfThread(left)}#replies`, {
      key: 'community.reply_removed',
      tone: 'info',
    });
  }
  const key = intent === 'remove-poll' ? 'community.poll_removed' : 'community.post_removed';
  return redirectWith(`/communities/${slug}`, { key, tone: 'info' });
}
