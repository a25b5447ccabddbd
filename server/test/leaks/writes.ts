import * as account from '@officium/contract/account';
import { askLesson, deleteThread, streamAnswer } from '@officium/contract/ai';
import { createMyCertificate } from '@officium/contract/assets';
import * as auth from '@officium/contract/auth';
import * as community from '@officium/contract/community';
import * as settings from '@officium/contract/community-settings';
import * as decisions from '@officium/contract/decisions';
import type { Endpoint } from '@officium/contract/endpoint';
import { referColleague } from '@officium/contract/enrolment';
import { analyseJob, classifyTask } from '@officium/contract/job-tasks';
import * as learner from '@officium/contract/learner';
import * as discussions from '@officium/contract/lesson-discussions';
import { readAllNotifications, readNotification } from '@officium/contract/notifications';
import * as people from '@officium/contract/people';
import * as records from '@officium/contract/people-records';
import * as polls from '@officium/contract/polls';
import { ENDPOINTS } from '@officium/contract/services';
import { shareArticle } from '@officium/contract/shares';
import type { Sent } from '../app.ts';
import { OF_ONES_OWN, OF_THE_ACCOUNT } from '../authority/narrowed.operations.ts';
import { READ } from './walk.ts';
import { NO_SLUG } from './planting.ts';
import type { World } from './world.ts';

/** What people write that is answered with more than a status. Services and administrators see what they write. */
export const WRITTEN: readonly Endpoint[] = ENDPOINTS.filter(
  ({ auth: who, method, replies, ...endpoint }) =>
    method !== 'GET' &&
    (who === 'user' || who === 'none') &&
    Object.values(replies).some((reply) => reply !== null) &&
    !READ.some(({ name }) => name === endpoint.name),
);

/** Their answers say what was sent, what is the caller's own, or that it was done. */
export const SAYS_OWN: readonly string[] = [
  ...OF_THE_ACCOUNT,
  ...OF_ONES_OWN,
  'claimCase',
  'createCommunityPoll',
  'createLessonActivity',
  'createMyCertificate',
  'decideReports',
  'deleteLessonActivity',
  'deleteLessonReaction',
  'recordLessonCompletion',
  'recordMyLesson',
  'removeCommunityPoll',
  'removePoll',
  'reportContent',
  'retractVote',
  'updateLessonActivity',
];

/** Writes of the victim's own, whose answers or effects would be about places if the session's token named them. */
export function ownWritesAt({ closed, names, people: { victim } }: World): [Endpoint, Sent][] {
  const me = { params: { id: 'me' } };
  const { courseSlug, journeySlug, lessonSlug } = closed;
  const name = { name: victim.name };
  const [publicId] = names['certificates/publicId'] ?? [];
  const [threadId] = names['threads/threadId'] ?? [];
  const lesson = { body: { courseSlug, journeySlug, lessonSlug, eventType: 'completed' } };
  return [
    [account.createProfile, { body: name }],
    [account.updateProfile, { body: name }],
    [people.updateUser, { ...me, body: name }],
    [people.updateUserRecord, { ...me, body: name }],
    [learner.correctMyCertificate, { params: { publicId }, body: { nameOnCertificate: 'Another name' } }],
    [createMyCertificate, { body: { courseSlug: 'for-all', journeySlug, nameOnCertificate: 'Another name' } }],
    [learner.recordMyLesson, lesson],
    [records.recordLessonCompletion, lesson],
    [records.giveUserProduct, { ...me, body: { courseSlug, journeySlug } }],
    [records.updateUserProduct, { ...me, body: { courseSlug, journeySlug } }],
    [records.updateUserReferrals, { params: { userId: 'me' }, body: { referrals: [] } }],
    [deleteThread, { params: { threadId } }],
    [analyseJob, { body: { jobTitle: 'Clerk', tasks: ['Write letters to citizens'] } }],
    [classifyTask, { body: { task: 'Write letters to citizens' } }],
    ...(names['inbox/id'] ?? []).map((id): [Endpoint, Sent] => [readNotification, { params: { id } }]),
    [readAllNotifications, {}],
  ];
}

/** Writes about the victim and at what is hidden, some of which are refused. */
export function writesAt(world: World, other: { id: string }): [Endpoint, Sent][] {
  const { people: persons, hidden, closed, openPostId, openReplyId } = world;
  const { victim } = persons;
  const { lesson, lessonSlug, talk, courseSlug, journeySlug } = closed;
  const journey = { courseSlug, journeySlug };
  const mention = `To {{${victim.id}}} and {{${other.id}}}`;
  const plaza = { slug: 'plaza' };
  const reply = { kind: 'reply', body: mention };
  const underLesson = { ...lesson, activityId: talk.activityId, reactionId: talk.reactionId };
  return [
    [account.askToConnect, { body: { peerId: victim.id } }],
    [account.moveConnection, { params: { peerId: victim.id }, body: { status: 'cancelled' } }],
    [auth.createAccount, { body: { name: 'Somebody', email: victim.email } }],
    [people.updateUser, { params: { id: victim.id }, body: { name: 'Somebody' } }],
    [records.giveUserProduct, { params: { id: victim.id }, body: journey }],
    [people.updateUserRecord, { params: { id: victim.id }, body: { name: 'Somebody' } }],
    [community.createActivity, { params: plaza, body: { body: mention } }],
    [community.createActivity, { params: hidden, body: { body: mention } }],
    [community.updateActivity, { params: { ...plaza, id: openPostId }, body: { body: mention } }],
    [community.updateActivity, { params: { ...plaza, id: hidden.postId }, body: { body: mention } }],
    [community.createActivityReaction, { params: { ...plaza, id: openPostId }, body: reply }],
    [community.createActivityReaction, { params: { ...plaza, id: hidden.postId }, body: reply }],
    [community.createChildReaction, { params: { ...plaza, id: openReplyId }, body: { kind: 'like' } }],
    [community.updateReaction, { params: { ...plaza, id: openReplyId }, body: { body: mention } }],
    [
      settings.updateCommunitySettings,
      { params: hidden, body: { locale: 'en', rules: [], slowModeSeconds: 0, postsPerDay: null } },
    ],
    [decisions.appealDecision, { params: { id: world.decisionId }, body: { text: 'Why?' } }],
    [decisions.decideAppeal, { params: { id: world.decisionId }, body: { outcome: 'upheld' } }],
    [community.joinCommunity, { params: hidden }],
    [community.updateMember, { params: { ...plaza, userId: victim.id }, body: { level: 'basic' } }],
    [community.updateMember, { params: { ...hidden, userId: victim.id }, body: { level: 'basic' } }],
    [polls.castVote, { params: { id: hidden.optionIds[0] }, body: {} }],
    [polls.castVote, { params: { id: world.poll.optionIds[0] }, body: {} }],
    [
      shareArticle,
      { params: { slug: world.articleSlug }, body: { title: 'Read', communities: [hidden.slug, NO_SLUG] } },
    ],
    [askLesson, { body: { ...journey, lessonSlug, query: 'What explains everything?' } }],
    [streamAnswer, { body: { ...journey, lessonSlug, query: 'What explains everything?' } }],
    [learner.enrolMyself, { body: journey }],
    [learner.issueMyCertificate, { params: journey, body: {} }],
    [referColleague, { body: { email: 'colleague@example.org', type: 'courses', slug: courseSlug } }],
    [discussions.createLessonReaction, { params: underLesson, body: reply }],
    [discussions.createLessonChildReaction, { params: underLesson, body: reply }],
    [discussions.updateLessonReaction, { params: underLesson, body: { content: mention } }],
  ];
}
