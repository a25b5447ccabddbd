import { fileURLToPath } from 'node:url';
import { readSiteSettings } from '@officium/contract/site-settings';
import { listPersonSessions } from '@officium/contract/admin-people';
import { ENDPOINTS } from '@officium/contract/services';
import { readMessages } from '@officium/i18n/catalogue';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { markLoaded } from '#server/areas/site/demo-content.repository.ts';
import { importPath } from '#server/areas/importing/import-source.service.ts';
import { newId } from '#server/db/client.ts';
import { createTestApp, SERVICE_KEY, WEBHOOK_KEY, type As, type Sent } from './app.ts';
import {
  entryOfCommunity,
  makeBegunPiece,
  makeCertificate,
  makeContentImport,
  makeOwnerClaim,
} from './authority/things.ts';
import { makeAssignment, makeFailedJob, makeFailedMail } from './authority/things.ts';
import { openDeliveryTwin } from './delivery-twin.ts';
import { makePerson, type TestPerson } from './factories/accounts.ts';
import { giveSeat, makeCohortJourney, makeDraft, makeEvent, makeInvitation, makeUpload } from './authority/things.ts';
import { makeCohort, putInCohort } from './factories/cohorts.ts';
import { makeActivity, makeCommunity, makeMember, makeReaction, type TestCommunity } from './factories/communities.ts';
import { makeContentFolder } from './factories/content.ts';
import { enrol, makeCourse, type TestCourse } from './factories/courses.ts';
import { makeWaitingAttempt } from './factories/attempts.ts';
import { makeZip, zipForm } from './factories/zips.ts';
import { fileForm, MEDIA_FILES } from './factories/media.ts';
import { makeNotice, NOTICE } from './factories/notices.ts';
import {
  makeLessonPiece,
  makePieceUpload,
  makePiece,
  pictureForm,
  pieceWithDraft,
  pieceWithFile,
  pieceWithVersion,
} from './factories/pieces.ts';
import { NAMES } from '../../web/app/areas/admin/audit-vocabulary.ts';

const platform = await openDeliveryTwin();
afterAll(async () => await platform.close());
const test = await createTestApp(platform.settings);
const { db } = test.ctx;

type Entry = { actor: string; action: string; object: string; detail: object; request_id: string | null };
const logged = async () =>
  (
    await sql<Entry>`
      select actor, action, object, detail, request_id from audit_log where action <> 'community.read-private'
      order by id`.execute(db)
  ).rows;

const service: As = { serviceKey: SERVICE_KEY };
const SERVICE = 'service:tests';
let admin: TestPerson;
let moderator: TestPerson;
let maya: TestPerson;
let community: TestCommunity;
let course: TestCourse;
let cohortId: string;

beforeAll(async () => {
  admin = await makePerson(test, { role: 'administrator' });
  moderator = await makePerson(test);
  maya = await makePerson(test);
  community = await makeCommunity(db, { canJoin: 'authenticated' });
  await makeMember(db, community, moderator, { level: 3 });
  await makeMember(db, community, maya);
  course = await makeCourse(test);
  await enrol(test, maya, course.journey);
  cohortId = await makeCohort(test);
});

type Act = Sent & {
  as?: As;
  actor: string;
  action: string;
  /** The object of the entry: a known id, or one found in the response. */
  object: string | ((body: any) => string); // any: response of the operation
};

const newAddress = () => `audit-${newId()}@example.gov`;
const byAdmin = (act: Omit<Act, 'as' | 'actor'>): Act => ({ as: admin.as, actor: admin.id, ...act });
const byModerator = (act: Omit<Act, 'as' | 'actor'>): Act => ({ as: moderator.as, actor: moderator.id, ...act });
const byService = (act: Omit<Act, 'as' | 'actor'>): Act => ({ as: service, actor: SERVICE, ...act });
const byPlatform = (act: Omit<Act, 'as' | 'actor' | 'headers'>, topic: string): Act => ({
  actor: 'service:content-platform',
  headers: { 'x-webhook-key': WEBHOOK_KEY, 'x-contentful-topic': `ContentManagement.Entry.${topic}` },
  ...act,
});

const send = async (name: string, { as, params, query, body, headers }: Sent & { as?: As }) => {
  const endpoint = ENDPOINTS.find((each) => each.name === name);
  if (!endpoint) throw new Error(`There is no operation ${name}.`);
  return await test.call(endpoint, as, { params, query, body, headers });
};
const must = async (name: string, sent: Sent & { as?: As }) => {
  const answer = await send(name, sent);
  expect([name, answer.status < 300, answer.body]).toEqual([name, true, answer.body]);
  return answer.body;
};

const slugs = () => ({ courseSlug: course.slug, journeySlug: course.journey.slug });
const lesson = () => ({
  courseId: course.id,
  journeyId: course.journey.id,
  lessonId: course.journey.lessons[0]?.id ?? '',
});
const at = () => ({ slug: community.slug });
const postOf = async (person = maya) => await makeActivity(db, community, person);
const entryId = async () => {
  const id = `entry-${newId().slice(-12)}`;
  await sql`insert into entries (id, content_type, source) values (${id}, 'course', 'folder')`.execute(db);
  return id;
};
const ruleId = async () =>
  (await must('createAutoApproval', { as: service, body: { type: 'email', value: newAddress() } })).id;
const recordBody = () => ({ email: newAddress(), type: 'courses', slug: course.slug });
const enrolment = (email: string) => ({
  email,
  userDefaults: {},
  cohortIds: [cohortId],
  enrolments: [{ type: 'courses', slug: course.slug }],
});
const pollBody = {
  title: 'Which?',
  options: [1, 2].map((position) => ({ position, body: `Option ${position}` })),
};
const startedDiscussion = async () =>
  (await must('createLessonActivity', { as: maya.as, params: lesson(), body: { body: { en: 'What now?' } } }))
    .activityId;
const onDraft = async (action: string) => {
  const { params, body } = await pieceWithDraft(test);
  return byAdmin({ params, body, action, object: params.key });
};
const firstId = (body: { id?: string; ids?: string[] }) => body.id ?? body.ids?.[0] ?? '';

/** Every operation that changes data of others. A second case of one follows after a comma. */
const ACTS: Record<string, () => Promise<Act> | Act> = {
  // admin
  createCohort: () =>
    byAdmin({
      body: { name: 'Learners', type: 'LEARNERS', primaryPartner: 'City' },
      action: 'admin.create-cohort',
      object: firstId,
    }),
  updateCohort: () =>
    byAdmin({ params: { id: cohortId }, body: { notes: 'x' }, action: 'admin.update-cohort', object: cohortId }),
  addCohortUser: () =>
    byAdmin({
      params: { id: cohortId },
      body: { email: newAddress() },
      action: 'admin.add-cohort-user',
      object: cohortId,
    }),
  createUpload: () =>
    byAdmin({
      params: { id: cohortId },
      body: { slug: 'may', emails: [newAddress()] },
      action: 'admin.upload-emails',
      object: cohortId,
    }),
  setCohortProducts: () =>
    byAdmin({
      params: { id: cohortId },
      body: { entryIds: [course.id] },
      action: 'admin.set-cohort-products',
      object: cohortId,
    }),
  renameCohort: () =>
    byAdmin({ params: { id: cohortId }, body: { name: 'Renamed' }, action: 'admin.rename-cohort', object: cohortId }),
  archiveCohort: async () => {
    const id = await makeCohort(test);
    return byAdmin({ params: { id }, action: 'admin.archive-cohort', object: id });
  },
  reopenCohort: async () => {
    const params = { id: await makeCohort(test) };
    await must('archiveCohort', { as: admin.as, params });
    return byAdmin({ params, action: 'admin.reopen-cohort', object: params.id });
  },
  deleteCohort: async () => {
    const name = 'To be deleted';
    const id = await makeCohort(test, { name });
    return byAdmin({ params: { id }, body: { name }, action: 'admin.delete-cohort', object: id });
  },
  revokeCertificate: async () =>
    byAdmin({
      params: { publicId: await makeCertificate(test, maya, course.journey) },
      body: { reason: 'not_earned' },
      action: 'learner.revoke-certificate',
      object: ENROLMENT,
    }),
  removeCohortMember: async () => {
    const { id: userId } = await makePerson(test);
    await putInCohort(test, cohortId, { id: userId });
    return byAdmin({
      params: { id: cohortId, userId },
      action: 'admin.remove-cohort-member',
      object: cohortId,
    });
  },
  withdrawInvitation: async () =>
    byAdmin({
      params: { id: cohortId, invitationId: await makeInvitation(test, cohortId) },
      action: 'admin.withdraw-invitation',
      object: cohortId,
    }),
  resendInvitations: async () =>
    byAdmin({
      params: { id: cohortId },
      body: { invitationId: await makeInvitation(test, cohortId) },
      action: 'admin.resend-invitations',
      object: cohortId,
    }),
  updateCohortSettings: () =>
    byAdmin({
      params: { id: cohortId },
      body: { remindsOfDueDates: false },
      action: 'admin.update-cohort-settings',
      object: cohortId,
    }),
  remindLearners: async () =>
    byAdmin({
      params: { id: cohortId, journeyId: await makeCohortJourney(test, cohortId) },
      body: { state: 'not-started' },
      action: 'admin.remind-learners',
      object: cohortId,
    }),
  attachCohortProduct: () =>
    byAdmin({
      params: { id: cohortId, entryId: course.id },
      body: {},
      action: 'admin.attach-product',
      object: cohortId,
    }),
  detachCohortProduct: async () => {
    const params = { id: cohortId, entryId: course.journey.entryId };
    await must('attachCohortProduct', { as: admin.as, params, body: {} });
    return byAdmin({ params, action: 'admin.detach-product', object: cohortId });
  },
  readUploadFile: () =>
    byAdmin({
      params: { id: cohortId },
      headers: { 'content-type': 'multipart/form-data; boundary=line' },
      body: `--line\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${newAddress()}\r\n--line--\r\n`,
      action: 'admin.read-file',
      object: cohortId,
    }),
  chooseDraftColumn: async () =>
    byAdmin({
      params: { id: cohortId, draftId: await makeDraft(test, cohortId, admin) },
      body: { column: 0 },
      action: 'admin.choose-column',
      object: cohortId,
    }),
  confirmDraft: async () =>
    byAdmin({
      params: { id: cohortId, draftId: await makeDraft(test, cohortId, admin) },
      body: { slug: 'may' },
      action: 'admin.upload-emails',
      object: cohortId,
    }),
  undoUpload: async () => {
    const name = 'To be taken back';
    const id = await makeCohort(test, { name });
    const params = { id, uploadId: await makeUpload(test, id) };
    return byAdmin({ params, body: { name }, action: 'admin.undo-upload', object: id });
  },
  registerProduct: async () => {
    const id = await entryId();
    return byAdmin({ params: { id }, body: {}, action: 'admin.register-product', object: id });
  },
  setProductPermission: () =>
    byAdmin({
      params: { id: course.id },
      body: { permission: 'can_join', scope: 'verified' },
      action: 'admin.set-permission',
      object: course.id,
    }),
  retryJobs: async () => {
    const job = await makeFailedJob(test);
    return byAdmin({ body: job, action: 'admin.retry-jobs', object: job.id });
  },
  startReconciliation: () => byAdmin({ action: 'admin.reconcile-content', object: 'space1' }),
  retryMail: async () => {
    const id = await makeFailedMail(test);
    return byAdmin({ params: { id }, action: 'admin.retry-mail', object: id });
  },
  setProductAccess: () =>
    byAdmin({
      params: { id: course.id },
      body: { can_view: 'authenticated', can_join: 'verified' },
      action: 'admin.set-permissions',
      object: course.id,
    }),
  setPermissionOfProducts: () =>
    byAdmin({
      body: { ids: [course.id], permission: 'can_join', scope: 'private' },
      action: 'admin.set-permissions',
      object: course.id,
    }),
  // content, edited in the administration
  createPiece: () =>
    byAdmin({
      body: { kind: 'course', title: 'A course', slug: `course-${newId().slice(-12)}` },
      action: 'content.create-piece',
      object: (body) => body.key,
    }),
  savePiece: async () => {
    const piece = await makePiece(test);
    const body = { version: 0, doc: { ...piece.doc, title: { en: 'Another' } } };
    return byAdmin({ params: piece.params, body, action: 'content.save-piece', object: piece.params.key });
  },
  uploadPiecePicture: async () => {
    const { params } = await makePiece(test);
    const { headers, payload } = await pictureForm();
    return byAdmin({
      params,
      body: payload,
      headers,
      action: 'content.add-picture',
      object: params.key,
    });
  },
  uploadPieceFile: async () => {
    const { params } = await makeLessonPiece(test);
    const { headers, payload } = fileForm('notes.txt', MEDIA_FILES['notes.txt']);
    return byAdmin({ params, body: payload, headers, action: 'content.add-file', object: params.key });
  },
  finishPieceUpload: async () => {
    const { params, whole } = await makePieceUpload(test, admin, { isReceived: true });
    return byAdmin({ params, body: { sha256: whole }, action: 'content.add-file', object: params.key });
  },
  removePieceFile: async () => {
    const { params, body } = await pieceWithFile(test);
    return byAdmin({ params, body, action: 'content.remove-file', object: params.key });
  },
  markAttempt: async () => {
    const person = await makePerson(test);
    const attemptId = await makeWaitingAttempt(test, person, course.journey.lessons[0]!); // made with the course
    const body = { version: 0, marks: [{ number: 1, points: [2, 1], comment: '' }] };
    return byAdmin({ params: { attemptId }, body, action: 'content.mark-attempt', object: person.id });
  },
  setExtraTime: async () => {
    const person = await makePerson(test);
    await enrol(test, person, course.journey);
    const body = { person: person.id, percent: 25 };
    return byAdmin({ params: { key: course.id }, body, action: 'content.set-extra-time', object: person.id });
  },
  importQuestions: async () => {
    const { params } = await makeLessonPiece(test);
    const { headers, payload } = fileForm('questions.txt', Buffer.from('Is it so? {T}'));
    const object = params.key;
    return byAdmin({ params, body: payload, headers, action: 'content.import-questions', object });
  },
  discardDraft: async () => await onDraft('content.discard-draft'),
  publishPiece: async () => await onDraft('content.publish-piece'),
  withdrawPiece: async () => await onDraft('content.withdraw-piece'),
  restorePieceVersion: async () => {
    const { params, body } = await pieceWithVersion(test);
    return byAdmin({ params, body, action: 'content.restore-version', object: params.key });
  },
  deletePiece: async () => {
    const { params, body } = await makeBegunPiece(test);
    return byAdmin({ params, body, action: 'content.delete-piece', object: params.key });
  },
  orderJourneys: () =>
    byAdmin({
      params: { key: course.id },
      body: { journeys: [course.journey.key] },
      action: 'content.order-journeys',
      object: course.id,
    }),
  setAttendance: async () => {
    const { session } = await makeEvent(test);
    const params = { id: await giveSeat(test, session, maya), userId: maya.id };
    return byAdmin({ params, body: { attended: true }, action: 'events.mark-attendance', object: session });
  },
  updateSession: async () => {
    const { session } = await makeEvent(test);
    return byAdmin({
      params: { id: session },
      body: { capacity: 5 },
      action: 'events.change-session',
      object: session,
    });
  },
  nameCommunityOwner: async () => {
    const key = await entryOfCommunity(test, community.slug);
    return byAdmin({ params: { key }, body: { email: newAddress() }, action: 'content.name-owner', object: key });
  },
  removeCommunityOwner: async () => {
    const key = await entryOfCommunity(test, community.slug);
    const params = { key, email: await makeOwnerClaim(test, key) };
    return byAdmin({ params, action: 'content.remove-owner', object: key });
  },
  checkContentZip: () => {
    const { headers, payload } = zipForm(makeZip([{ name: 'content.yaml', content: 'format: 1\n' }]));
    return byAdmin({ headers, body: payload, action: 'content.check-zip', object: firstId });
  },
  updateSiteSettings: async () => {
    const { version } = (await test.call(readSiteSettings, admin.as)).body;
    return byAdmin({
      body: { version, identity: { name: 'Ours' } },
      action: 'admin.update-site',
      object: String(version + 1),
    });
  },
  uploadCertificatePicture: async () => {
    const { headers, payload } = await pictureForm();
    const { body } = await test.call(readSiteSettings, admin.as);
    return byAdmin({
      params: { slot: 'seal' },
      body: payload,
      headers,
      action: 'admin.update-site',
      object: String(body.version + 1),
    });
  },
  uploadSiteLogo: async () => {
    const { headers, payload } = await pictureForm();
    const { body } = await test.call(readSiteSettings, admin.as);
    return byAdmin({
      params: { theme: 'dark' },
      body: payload,
      headers,
      action: 'admin.update-site',
      object: String(body.version + 1),
    });
  },
  updateSiteSetup: async () => byAdmin({ body: { isPutAway: true }, action: 'admin.update-setup', object: 'setup' }),
  updateSetupStep: async () =>
    byAdmin({
      params: { step: 'mail' },
      body: { outcome: 'done' },
      action: 'admin.update-setup',
      object: 'mail',
    }),
  removeDemoContent: async () => {
    await markLoaded(db);
    return byAdmin({ body: { name: test.ctx.site.current().name }, action: 'admin.remove-demo', object: 'demo' });
  },
  sendTestMail: async () => byAdmin({ action: 'admin.send-test-mail', object: admin.id }),
  createSiteNotice: async () => byAdmin({ body: NOTICE, action: 'admin.create-notice', object: firstId }),
  updateSiteNotice: async () => {
    const id = await makeNotice(test);
    return byAdmin({
      params: { id },
      body: { ...NOTICE, version: 1, level: 'warning' },
      action: 'admin.update-notice',
      object: id,
    });
  },
  deleteSiteNotice: async () => {
    const id = await makeNotice(test);
    return byAdmin({ params: { id }, action: 'admin.delete-notice', object: id });
  },
  updateSitePage: async () =>
    byAdmin({
      params: { kind: 'terms', locale: 'en' },
      body: { version: 0, body: 'Be kind.' },
      action: 'admin.update-site-page',
      object: 'terms',
    }),
  requestWholeExport: async () => byAdmin({ action: 'archive.request-export', object: firstId }),
  beginContentImport: async () => {
    const importId = await makeContentImport(test);
    return byAdmin({ params: { importId }, action: 'content.begin-import', object: importId });
  },
  endPersonSessions: async () => {
    const { id } = await makePerson(test);
    return byAdmin({ params: { id }, action: 'admin.end-sessions', object: id });
  },
  endPersonSession: async () => {
    const { id } = await makePerson(test);
    const { body } = await test.call(listPersonSessions, admin.as, { params: { id } });
    const [{ id: sessionId }] = body.sessions;
    return byAdmin({ params: { id, sessionId }, action: 'admin.end-sessions', object: id });
  },
  giveRole: async () => {
    const { id } = await makePerson(test);
    return byAdmin({
      params: { id },
      body: { role: 'report-reader', kind: 'cohort', placeId: cohortId },
      action: 'admin.give-role',
      object: id,
    });
  },
  takeRole: async () => {
    const { id } = await makePerson(test);
    const assignmentId = await makeAssignment(test, id);
    return byAdmin({ params: { id, assignmentId }, action: 'admin.take-role', object: id });
  },
  resetSecondFactor: async () => {
    const { id } = await makePerson(test);
    return byAdmin({ params: { id }, action: 'auth.change-second-factor', object: id });
  },
  // auth
  createAccount: async () =>
    byService({
      query: { approved: true },
      body: { email: newAddress(), name: 'Noor' },
      action: 'auth.create-account',
      object: '',
    }),
  mintToken: () =>
    byService({
      body: { id: maya.id, email: maya.email, name: maya.name },
      action: 'auth.mint-token',
      object: maya.id,
    }),
  deleteAccount: async () => {
    const { id, email } = await makePerson(test);
    return byAdmin({ params: { email }, action: 'auth.delete-account', object: id });
  },
  eraseUser: async () => {
    const { id } = await makePerson(test);
    return byAdmin({ params: { id }, action: 'auth.delete-account', object: id });
  },
  // content
  indexEntry: () => {
    const id = `hook-${newId().slice(-12)}`;
    return byPlatform(
      { body: { id, slug: 'x', contentType: 'page' }, action: 'content.publish', object: id },
      'publish',
    );
  },
  reindexEntry: async () => {
    const id = `hook-${newId().slice(-12)}`;
    const body = { id, slug: 'x', contentType: 'page' };
    await must('indexEntry', { ...byPlatform({ action: '', object: '' }, 'publish'), body });
    return byPlatform({ body: { ...body, version: 2 }, action: 'content.withdraw', object: id }, 'unpublish');
  },
  // enrolment
  enrolPerson: () => byService({ body: enrolment(newAddress()), action: 'enrolment.enrol', object: ENROLMENT }),
  changeEnrolments: async () => {
    const { email: _, ...body } = enrolment('');
    return byService({ params: { email: maya.email }, body, action: 'enrolment.change', object: ENROLMENT });
  },
  enrolMany: () =>
    byService({
      body: { enrolments: [enrolment(newAddress()), enrolment(newAddress())] },
      action: 'enrolment.enrol-many',
      object: ENROLMENT,
    }),
  referMany: () =>
    byService({
      body: { referrals: [{ email: newAddress(), type: 'courses', slug: course.slug }] },
      action: 'enrolment.refer-many',
      object: ENROLMENT,
    }),
  withdrawPerson: async () => {
    const { id, email } = await makePerson(test);
    await enrol(test, { id }, course.journey);
    return byService({
      params: { email },
      body: { courseSlug: course.slug },
      query: { courseSlug: course.slug },
      action: 'enrolment.withdraw',
      object: course.slug,
    });
  },
  createBulkEnrolment: () => byService({ body: recordBody(), action: 'enrolment.create-record', object: firstId }),
  updateBulkEnrolment: async () => {
    const { id } = await must('createBulkEnrolment', { as: service, body: recordBody() });
    return byService({ params: { id }, body: { status: 'pending' }, action: 'enrolment.update-record', object: id });
  },
  updateUserReferrals: () =>
    byAdmin({
      params: { userId: maya.id },
      body: { referrals: [] },
      action: 'enrolment.replace-referrals',
      object: maya.id,
    }),
  // learner
  giveUserProduct: () =>
    byAdmin({ params: { id: maya.id }, body: slugs(), action: 'learner.give-product', object: maya.id }),
  updateUserProduct: () =>
    byAdmin({ params: { id: maya.id }, body: slugs(), action: 'learner.update-product', object: maya.id }),
  // people
  createAutoApproval: () =>
    byService({
      body: { type: 'email', value: newAddress() },
      action: 'people.create-auto-approval',
      object: firstId,
    }),
  updateAutoApproval: async () => {
    const id = await ruleId();
    const body = { type: 'email', value: newAddress() };
    return byService({ params: { id }, body, action: 'people.update-auto-approval', object: id });
  },
  deleteAutoApproval: async () => {
    const id = await ruleId();
    return byService({ params: { id }, action: 'people.delete-auto-approval', object: id });
  },
  testAutoApprovals: () =>
    byAdmin({
      body: { emails: `${newAddress()} ${newAddress()}` },
      action: 'people.test-auto-approvals',
      object: 'auto-approvals',
    }),
  createUserRecord: () =>
    byService({ body: { email: newAddress(), name: 'Noor' }, action: 'people.create-user', object: firstId }),
  updateUserRecord: () =>
    byAdmin({ params: { id: maya.id }, body: { name: 'Maya' }, action: 'people.update-user', object: maya.id }),
  updateUser: () =>
    byAdmin({ params: { id: maya.id }, body: { name: 'Maya' }, action: 'people.update-user', object: maya.id }),
  setBadges: () =>
    byService({ params: { id: maya.id }, body: { badges: {} }, action: 'people.set-badges', object: maya.id }),
  writeRegistration: async () => {
    const { id, email } = await makePerson(test);
    return byService({ body: { email, status: 'approved' }, action: 'people.decide-registration', object: id });
  },
  // community
  createUserCommunity: async () => {
    const { id } = await makePerson(test);
    return byService({
      body: { userId: id, communitySlug: community.slug },
      action: 'community.admit-member',
      object: firstId,
    });
  },
  updateUserCommunity: async () => {
    const { id: userId } = await makePerson(test);
    const { id } = await must('createUserCommunity', {
      as: service,
      body: { userId, communitySlug: community.slug },
    });
    return byService({ params: { id }, body: { creator: true }, action: 'community.update-member', object: id });
  },
  updateMember: async () => {
    const { id } = await makePerson(test);
    await makeMember(db, community, { id }, { status: 'pending' });
    return byModerator({
      params: { ...at(), userId: id },
      body: { status: 'active' },
      action: 'community.change-member',
      object: id,
    });
  },
  removeMember: async () => {
    const { id } = await makePerson(test);
    await makeMember(db, community, { id });
    return byModerator({ params: { ...at(), userId: id }, action: 'community.remove-member', object: id });
  },
  deleteActivity: async () => {
    const id = await postOf();
    return byModerator({ params: { ...at(), id }, action: 'community.delete-activity', object: id });
  },
  deleteReaction: async () => {
    const id = await makeReaction(db, community, { activityId: await postOf() }, maya);
    return byModerator({ params: { ...at(), id }, action: 'community.delete-reaction', object: id });
  },
  'deleteReaction, a pin': async () => {
    const id = await makeReaction(db, community, { activityId: await postOf() }, moderator, { kind: 'pin' });
    return byModerator({ params: { ...at(), id }, action: 'community.unpin', object: id });
  },
  createActivityReaction: async () =>
    byModerator({
      params: { ...at(), id: await postOf() },
      body: { kind: 'pin' },
      action: 'community.pin',
      object: firstId,
    }),
  createChildReaction: async () =>
    byModerator({
      params: { ...at(), id: await makeReaction(db, community, { activityId: await postOf() }, maya) },
      body: { kind: 'pin' },
      action: 'community.pin',
      object: firstId,
    }),
  removeCommunityPoll: async () => {
    const { id } = await must('createCommunityPoll', { as: maya.as, params: at(), body: pollBody });
    return byModerator({ params: { ...at(), id }, action: 'community.remove-poll', object: id });
  },
  removePoll: async () => {
    const { id } = await must('createPoll', { as: maya.as, body: pollBody });
    return byAdmin({ params: { id }, action: 'community.remove-poll', object: id });
  },
  decideReports: async () => {
    const id = await postOf();
    const thing = { community: community.slug, kind: 'activity', id };
    await must('reportContent', { as: admin.as, body: { ...thing, reason: 'spam' } });
    return byModerator({
      body: { ...thing, decision: 'dismiss' },
      action: 'moderation.dismiss-reports',
      object: id,
    });
  },
  'decideReports, a removal': async () => {
    const id = await postOf();
    return byModerator({
      body: { community: community.slug, kind: 'activity', id, decision: 'remove', reason: 'spam' },
      action: 'community.delete-activity',
      object: id,
    });
  },
  'decideReports, about an article': async () => {
    const written = { title: 'An article', subtitle: 'About something', body: 'What there is to say.' };
    const { slug } = await must('createArticle', { as: maya.as, body: written });
    const { id } = await must('readArticle', { as: maya.as, params: { slug } });
    return byAdmin({
      body: { kind: 'article', id, decision: 'remove', reason: 'false' },
      action: 'articles.remove-article',
      object: id,
    });
  },
  decideAppeal: async () => {
    const id = await postOf();
    await must('deleteActivity', { as: admin.as, params: { ...at(), id } });
    const { decisions } = await must('listMyDecisions', { as: maya.as });
    const [{ id: decisionId }] = decisions;
    await must('appealDecision', { as: maya.as, params: { id: decisionId }, body: { text: 'It was meant kindly' } });
    return byModerator({
      params: { id: decisionId },
      body: { outcome: 'reversed' },
      action: 'moderation.reverse-decision',
      object: decisionId,
    });
  },
  updateCommunitySettings: async () =>
    byAdmin({
      params: at(),
      body: { locale: 'en', rules: ['Be kind'], slowModeSeconds: 0, postsPerDay: null },
      action: 'community.update-settings',
      object: community.id,
    }),
  deleteLessonActivity: async () => {
    const activityId = await startedDiscussion();
    return byAdmin({
      params: { ...lesson(), activityId },
      action: 'community.delete-activity',
      object: activityId,
    });
  },
  deleteLessonReaction: async () => {
    const activityId = await startedDiscussion();
    const params = { ...lesson(), activityId };
    const { id } = await must('createLessonReaction', {
      as: maya.as,
      params,
      body: { kind: 'reply', body: 'This' },
    });
    return byAdmin({ params: { ...lesson(), reactionId: id }, action: 'community.delete-reaction', object: id });
  },
  createLessonReaction: async () =>
    byAdmin({
      params: { ...lesson(), activityId: await startedDiscussion() },
      body: { kind: 'pin' },
      action: 'community.pin',
      object: firstId,
    }),
  createLessonChildReaction: async () => {
    const params = { ...lesson(), activityId: await startedDiscussion() };
    const body = { kind: 'reply', body: 'This' };
    const { id: reactionId } = await must('createLessonReaction', { as: maya.as, params, body });
    return byAdmin({
      params: { ...lesson(), reactionId },
      body: { kind: 'pin' },
      action: 'community.pin',
      object: firstId,
    });
  },
};

/** The response does not contain it; any row id. */
const ENROLMENT = '(an id)';

/** Operations that store nothing, or what ends by itself: open pieces, and uploads until they are finished. */
const PASSING = [
  'checkContent',
  'previewInvitationMail',
  'noteWriter',
  'openPieceUpload',
  'sendPieceUploadPart',
  'cancelPieceUpload',
];

/** Operations that change only the caller's own data, or data that everyone shares. */
const OWN = `
  askToConnect confirmMySignUp createProfile moveConnection setLocale setVisibility updateProfile requestDataExport
  correctMyCertificate askLesson streamAnswer deleteThread analyseJob classifyTask createMyCertificate issueMyCertificate uploadProfileImage changeEmail
  confirmEmailChange checkPassword setPassword requestPasswordReset deleteSession refreshIdentity setMemberType
  setNickname signOut signIn requestLoginLink confirmLoginLink confirmSignUp resendSignUpCode createActivity
  uploadPostPicture uploadLessonPicture uploadArticlePicture updateActivity updateReaction joinCommunity leaveCommunity joinAcademy createArticle updateArticle deleteArticle restoreArticle
  shareArticle shareLessonActivity
  startAttempt saveAnswer submitAttempt answerEvaluation skipEvaluation renewMyCertificate
  checkAnswer referColleague enrolMyself buyJourney seeMyChanges completeLesson completeMicrocourse recordMyLesson
  registerForSession leaveSession createCalendarFeed deleteCalendarFeed recordLessonCompletion createLessonActivity
  updateLessonActivity updateLessonReaction searchUsers castVote retractVote createCommunityPoll createPoll translate
  previewArticle translatePayload reportContent claimCase appealDecision readNotification readAllNotifications updateNotificationPreferences addPushDevice removePushDevice setCommunityFollow
  setThreadFollow setPersonFollow setTopicFollow
  unsubscribe startTotp confirmTotp removeTotp renewRecoveryCodes startPasskey addPasskey renamePasskey removePasskey
  startPasskeySignIn signInWithPasskey startFactorPasskey proveSecondFactor mailConfirmationCode
  startConfirmationPasskey confirmSession startProviderSignIn finishProviderSignIn
`
  .trim()
  .split(/\s+/);

describe('the audit log', () => {
  it('covers every operation that may change data of others', () => {
    const known = [...Object.keys(ACTS).map((name) => name.split(',')[0]), ...OWN];
    const changing = ENDPOINTS.filter(({ method }) => method !== 'GET')
      .map(({ name }) => name)
      .filter((name) => !PASSING.includes(name));
    expect(changing.filter((name) => !known.includes(name))).toEqual([]);
    expect(known.filter((name) => !changing.includes(name ?? ''))).toEqual([]);
    const others = ENDPOINTS.filter(({ auth }) => ['admin', 'service', 'webhook'].includes(auth));
    expect(others.filter(({ name }) => OWN.includes(name)).map(({ name }) => name)).toEqual([]);
  });

  it.each(Object.entries(ACTS))('has one entry for %s', async (name, prepare) => {
    const { as, actor, action, object, ...sent } = await prepare();
    const before = (await logged()).length;
    const answer = await send(name.split(',')[0] ?? '', { as, ...sent });
    expect([answer.status < 300, answer.body]).toEqual([true, answer.body]);
    const entries = (await logged()).slice(before);
    expect(entries).toMatchObject([{ actor, action, request_id: answer.headers['x-request-id'] }]);
    // The sentence that shows the entry.
    expect(readMessages('en')).toHaveProperty([`admin.audit_did_${action.replaceAll(/[^a-z]/g, '_')}`]);
    const wanted = typeof object === 'string' ? object : object(answer.body);
    if (wanted === ENROLMENT || wanted === '') expect(entries[0]?.object).toMatch(/^[0-9a-f-]{36}$/);
    else expect(entries[0]?.object).toBe(wanted);
    expect(JSON.stringify(entries[0]?.detail)).not.toMatch(/@|password|token"/i);
  });

  it('has one entry for an import and none for a refused one', async () => {
    const before = (await logged()).length;
    expect((await importPath(test.ctx, await makeContentFolder())).faults).toEqual([]);
    expect((await logged()).slice(before)).toMatchObject([
      { actor: 'system', action: 'content.import', detail: { changed: 0 }, request_id: null },
    ]);
    await importPath(test.ctx, fileURLToPath(new URL('./no-such-folder', import.meta.url)));
    expect((await logged()).length).toBe(before + 1);
  });

  it('has no entry for changes to own data, for requests that change nothing, and for refused ones', async () => {
    const before = (await logged()).length;
    const own = await postOf();
    await must('deleteActivity', { as: maya.as, params: { ...at(), id: own } });
    const pinned = await makeReaction(db, community, { activityId: await postOf() }, moderator, { kind: 'pin' });
    const { activity_id: id } = await db
      .selectFrom('reactions')
      .select('activity_id')
      .where('id', '=', pinned)
      .executeTakeFirstOrThrow();
    await must('createActivityReaction', { as: moderator.as, params: { ...at(), id }, body: { kind: 'pin' } });
    await must('registerProduct', { as: admin.as, params: { id: course.id }, body: {} });
    const other = await postOf(moderator);
    expect((await send('deleteActivity', { as: maya.as, params: { ...at(), id: other } })).status).toBe(403);
    expect(await logged()).toHaveLength(before);
  });

  it('records refused attempts to use the administration, once an hour', async () => {
    const curious = await makePerson(test);
    for (let nth = 0; nth < 5; nth++)
      expect((await send('createCohort', { as: curious.as, body: {} })).status).toBe(403);
    await send('listCohorts', { as: curious.as });
    await send('createCohort', {});
    const tried = (await logged()).filter(({ action }) => action === 'access.refuse');
    expect(tried).toMatchObject([
      { actor: curious.id, object: 'createCohort', request_id: expect.any(String) },
      { actor: curious.id, object: 'listCohorts' },
    ]);
  });

  it('records an administrator’s view of e-mail addresses once an hour, without the addresses', async () => {
    const id = await makeCohort(test);
    const params = { id };
    const uploadId = await makeUpload(test, id);
    await must('attachCohortProduct', {
      as: admin.as,
      params: { id, entryId: course.journey.entryId },
      body: {},
    });
    const { id: record } = await must('createBulkEnrolment', { as: service, body: recordBody() });
    const reads: [string, Sent, string, string][] = [
      ['listCohortUsers', { params }, 'admin.read-addresses', id],
      ['listCohortInvitations', { params }, 'admin.read-addresses', id],
      ['searchInvitations', { params }, 'admin.read-addresses', id],
      ['searchCohortMembers', { params }, 'admin.read-addresses', id],
      ['listUploadAddresses', { params: { id, uploadId } }, 'admin.read-addresses', id],
      ['listCohortProgress', { params: { id, journeyId: course.journey.key } }, 'admin.read-addresses', id],
      ['findPeople', { query: { match: maya.email } }, 'admin.search-people', 'people'],
      ['listUserRecords', { query: { email: maya.email } }, 'admin.search-people', 'people'],
      ['listBulkEnrolments', { query: { email: maya.email } }, 'admin.search-people', 'people'],
      ['readBulkEnrolment', { params: { id: record } }, 'admin.search-people', 'people'],
      ['readUserRecord', { params: { id: maya.id } }, 'admin.read-person', maya.id],
      ['readRegistration', { query: { email: maya.email } }, 'admin.read-person', maya.id],
    ];
    for (const [name, sent, action, object] of reads) {
      const looker = await makePerson(test, { role: 'administrator' });
      const before = (await logged()).length;
      for (let nth = 0; nth < 3; nth++) await must(name, { as: looker.as, ...sent });
      expect((await logged()).slice(before)).toMatchObject([{ actor: looker.id, action, object, detail: {} }]);
      expect(readMessages('en')).toHaveProperty([`admin.audit_did_${action.replaceAll(/[^a-z]/g, '_')}`]);
    }
  });

  it('does not record views of own data, reads by services, and counts', async () => {
    const before = (await logged()).length;
    await must('readUserRecord', { as: admin.as, params: { id: 'me' } });
    await must('readRegistration', { as: admin.as, query: { email: admin.email } });
    await must('readRegistration', { as: service, query: { email: maya.email } });
    await must('listUserRecords', { as: service, query: {} });
    await must('listBulkEnrolments', { as: service, query: {} });
    await must('listCohortUsers', { as: admin.as, params: { id: cohortId }, query: { count: 'true' } });
    expect(await logged()).toHaveLength(before);
  });

  it('uses only details that have a translated name', async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct name from audit_log, jsonb_object_keys(detail) name order by name`.execute(db);
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.map(({ name }) => name).filter((name) => !Object.hasOwn(NAMES, name))).toEqual([]);
  });

  it.each(['delete from audit_log', `update audit_log set actor = 'system'`, 'truncate audit_log'])(
    'cannot be changed: %s',
    async (text) => {
      await expect(sql.raw(text).execute(db)).rejects.toThrow('append-only');
      expect((await logged()).length).toBeGreaterThan(0);
    },
  );
});
