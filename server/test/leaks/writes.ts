import * as account from '@officium/contract/account';
import { askLesson, deleteThread, streamAnswer } from '@officium/contract/ai';
import { createMyCertificate } from '@officium/contract/assets';
import * as auth from '@officium/contract/auth';
import * as community from '@officium/contract/community';
import * as settings from '@officium/contract/community-settings';
import * as decisions from '@officium/contract/decisions';
import type { Endpoint } from '@officium/contract/endpoint';
import { referColleague } from '@officium/contract/enrolment';
import * as follows from '@officium/contract/follows';
import { analyseJob, classifyTask } from '@officium/contract/job-tasks';
import { checkAnswer } from '@officium/contract/answers';
import * as learner from '@officium/contract/learner';
import { startAttempt, submitAttempt } from '@officium/contract/assessments';
import { renewMyCertificate } from '@officium/contract/renewals';
import { answerEvaluation, skipEvaluation } from '@officium/contract/evaluations';
import { buyJourney } from '@officium/contract/payments';
import * as discussions from '@officium/contract/lesson-discussions';
import { readAllNotifications, readNotification } from '@officium/contract/notifications';
import * as people from '@officium/contract/people';
import * as records from '@officium/contract/people-records';
import * as polls from '@officium/contract/polls';
import { ENDPOINTS } from '@officium/contract/services';
import { shareLessonActivity } from '@officium/contract/lesson-shares';
import { shareArticle } from '@officium/contract/shares';
import type { Sent } from '../app.ts';
import { OWN_RECORDS, ACCOUNT_OPERATIONS } from '../authority/narrowed.operations.ts';
import { READ } from './walk.ts';
import { NO_SLUG } from './planting.ts';
import type { Fixture } from './fixture.ts';

/** Writes whose response has a body. Services and administrators see their own input. */
export const WRITTEN: readonly Endpoint[] = ENDPOINTS.filter(
  ({ auth: who, method, replies, ...endpoint }) =>
    method !== 'GET' &&
    (who === 'user' || who === 'none') &&
    Object.values(replies).some((reply) => reply !== null) &&
    !READ.some(({ name }) => name === endpoint.name),
);

/** Their responses contain only the input, the caller's own data, or a confirmation. */
export const SAYS_OWN: readonly string[] = [
  ...ACCOUNT_OPERATIONS,
  ...OWN_RECORDS,
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
  'uploadLessonPicture',
  'uploadPostPicture',
];

/** The victim's own writes, whose responses or effects concern places that the session's token omits. */
export function ownWritesAt({ closed, names, people: { victim } }: Fixture): [Endpoint, Sent][] {
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

/** Writes about the victim and on hidden objects; some are refused. */
export function writesAt(fixture: Fixture, other: { id: string }): [Endpoint, Sent][] {
  const { people: persons, hidden, closed, openPostId, openReplyId } = fixture;
  const { victim } = persons;
  const { lesson, lessonSlug, assessedSlug, talk, courseSlug, journeySlug } = closed;
  const journey = { courseSlug, journeySlug };
  const assessed = { ...journey, lessonSlug: assessedSlug };
  const mention = `To {{${victim.id}}} and {{${other.id}}}`;
  const plaza = { slug: 'plaza' };
  const reply = { kind: 'reply', body: mention };
  const underLesson = { ...lesson, activityId: talk.activityId, reactionId: talk.reactionId };
  return [
    [follows.setCommunityFollow, { params: plaza, body: { level: 'watching' } }],
    [follows.setCommunityFollow, { params: hidden, body: { level: 'watching' } }],
    [follows.setThreadFollow, { params: { id: openPostId }, body: { level: 'watching' } }],
    [follows.setThreadFollow, { params: { id: hidden.postId }, body: { level: 'watching' } }],
    [follows.setPersonFollow, { params: { id: victim.id }, body: { level: 'watching' } }],
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
    [decisions.appealDecision, { params: { id: fixture.decisionId }, body: { text: 'Why?' } }],
    [decisions.decideAppeal, { params: { id: fixture.decisionId }, body: { outcome: 'upheld' } }],
    [community.joinCommunity, { params: hidden }],
    [community.updateMember, { params: { ...plaza, userId: victim.id }, body: { level: 'basic' } }],
    [community.updateMember, { params: { ...hidden, userId: victim.id }, body: { level: 'basic' } }],
    [polls.castVote, { params: { id: hidden.optionIds[0] }, body: {} }],
    [polls.castVote, { params: { id: fixture.poll.optionIds[0] }, body: {} }],
    [
      shareArticle,
      { params: { slug: fixture.articleSlug }, body: { title: 'Read', communities: [hidden.slug, NO_SLUG] } },
    ],
    [askLesson, { body: { ...journey, lessonSlug, query: 'What explains everything?' } }],
    [streamAnswer, { body: { ...journey, lessonSlug, query: 'What explains everything?' } }],
    [checkAnswer, { params: { ...journey, lessonSlug }, body: { quiz: '1', choice: [1] } }],
    [startAttempt, { params: assessed, body: {} }],
    [submitAttempt, { params: { ...assessed, attemptId: fixture.names['attempts/attemptId']?.[0] } }],
    [skipEvaluation, { params: journey }],
    [renewMyCertificate, { params: journey }],
    [answerEvaluation, { params: journey, body: { answers: [{ question: 'more', text: 'Whose is it?' }] } }],
    [learner.enrolMyself, { body: journey }],
    [buyJourney, { params: journey }],
    [learner.issueMyCertificate, { params: journey, body: {} }],
    [referColleague, { body: { email: 'colleague@example.org', type: 'courses', slug: courseSlug } }],
    [shareLessonActivity, { params: underLesson, body: { title: 'Read', communities: [hidden.slug, NO_SLUG] } }],
    [discussions.createLessonReaction, { params: underLesson, body: reply }],
    [discussions.createLessonChildReaction, { params: underLesson, body: reply }],
    [discussions.updateLessonReaction, { params: underLesson, body: { content: mention } }],
  ];
}
