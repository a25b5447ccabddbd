import { readPiece } from '@officium/contract/authoring';
import { markLoaded } from '#server/areas/site/demo-content.repository.ts';
import { makePerson } from '../factories/accounts.ts';
import { makeNotice, NOTICE } from '../factories/notices.ts';
import { makeCohort } from '../factories/cohorts.ts';
import { enrol, makeCourse } from '../factories/courses.ts';
import { makeWaitingAttempt } from '../factories/attempts.ts';
import {
  makeLessonPiece,
  makePieceUpload,
  makePiece,
  pieceWithDraft,
  pieceWithFile,
  pieceWithVersion,
} from '../factories/pieces.ts';
import type { Requests } from './requests.ts';
import * as things from './things.ts';
import type { Cell, Sent } from './fixture.ts';

/** Requests of administrators, services and the content platform. */

const onCohort = ({ fixture }: Cell): Sent => ({ params: { id: fixture.cohortId } });
async function onMarking({ test, fixture }: Cell): Promise<Sent> {
  const [lesson] = fixture.elsewhere.course.journey.lessons;
  return { params: { attemptId: await makeWaitingAttempt(test, await makePerson(test), lesson!) } }; // there are four
}
const onPiece = async ({ test }: Cell): Promise<Sent> => ({ params: (await makePiece(test)).params });
const toAnother = async ({ test }: Cell) => ({ params: { id: (await makePerson(test)).id } });
const product = async ({ test }: Cell) => `academy-${await things.makeAcademy(test)}`;
const draft = async ({ test, fixture, me }: Cell) => ({
  id: fixture.cohortId,
  draftId: await things.makeDraft(test, fixture.cohortId, me),
});
const upload = async ({ test, fixture }: Cell) => ({
  id: fixture.cohortId,
  uploadId: await things.makeUpload(test, fixture.cohortId),
});
const cohortJourney = async ({ test, fixture }: Cell) => ({
  id: fixture.cohortId,
  journeyId: await things.makeCohortJourney(test, fixture.cohortId),
});
const nameOf = async ({ test, fixture }: Cell) =>
  (await test.ctx.db.selectFrom('cohorts').select('name').where('id', '=', fixture.cohortId).executeTakeFirstOrThrow())
    .name;
const enrolment = ({ fixture }: Cell) => ({
  cohortIds: [fixture.cohortId],
  enrolments: [{ type: 'courses', slug: fixture.elsewhere.course.slug }],
});
const referral = ({ fixture }: Cell) => ({
  email: things.freshEmail(),
  type: 'courses',
  slug: fixture.elsewhere.course.slug,
});
const rule = () => ({ type: 'domain', value: `${things.fresh('ministry')}.example` });
const entry = () => ({ id: things.fresh('entry'), contentType: 'page', slug: 'a-page', version: 1 });
const decide = (email: string, more = {}): Sent => ({ body: { email, status: 'approved', ...more } });

const entryOf = async ({ test, fixture }: Cell) => await things.entryOfCommunity(test, fixture.communities.open.slug);

export const officeRequests: Requests = {
  // Administrators.
  createCohort: () => ({ body: { name: 'A cohort', type: 'LEARNERS', primaryPartner: 'A city' } }),
  listCohorts: () => ({}),
  readCohort: onCohort,
  updateCohort: (cell) => ({ ...onCohort(cell), body: { notes: 'A note' } }),
  renameCohort: (cell) => ({ ...onCohort(cell), body: { name: 'Another name' } }),
  archiveCohort: async ({ test }) => ({ params: { id: await makeCohort(test) } }),
  reopenCohort: onCohort,
  listArchivedCohorts: () => ({}),
  previewCohortDeletion: onCohort,
  deleteCohort: async ({ test }) => ({
    params: { id: await makeCohort(test, { name: 'To be deleted' }) },
    body: { name: 'To be deleted' },
  }),
  searchCohortMembers: onCohort,
  listCohortProducts: onCohort,
  setCohortProducts: async ({ test }) => ({ params: { id: await makeCohort(test) }, body: { entryIds: [] } }),
  createUpload: (cell) => ({ ...onCohort(cell), body: { slug: 'a-label', emails: [things.freshEmail()] } }),
  listUploads: onCohort,
  listUploadAddresses: async (cell) => ({
    params: { id: cell.fixture.cohortId, uploadId: await things.makeUpload(cell.test, cell.fixture.cohortId) },
  }),
  addCohortUser: (cell) => ({ ...onCohort(cell), body: { email: things.freshEmail() } }),
  listCohortUsers: onCohort,
  listCohortInvitations: onCohort,
  listCohortTypes: () => ({}),
  removeCohortMember: async (cell) => ({
    params: { id: cell.fixture.cohortId, userId: await things.makeCohortMember(cell.test, cell.fixture.cohortId) },
  }),
  withdrawInvitation: async (cell) => ({
    params: { id: cell.fixture.cohortId, invitationId: await things.makeInvitation(cell.test, cell.fixture.cohortId) },
  }),
  searchInvitations: onCohort,
  resendInvitations: (cell) => ({ ...onCohort(cell), body: {} }),
  listResends: onCohort,
  readCohortSettings: onCohort,
  previewInvitationMail: (cell) => ({ ...onCohort(cell), body: { invitationWords: 'Welcome.' } }),
  updateCohortSettings: (cell) => ({ ...onCohort(cell), body: { remindsOfDueDates: false } }),
  remindLearners: async (cell) => ({ params: await cohortJourney(cell), body: { words: 'Please go on.' } }),
  attachCohortProduct: async (cell) => ({
    params: { id: cell.fixture.cohortId, entryId: await product(cell) },
    body: { dueOn: '2030-06-30' },
  }),
  'attachCohortProduct again': async (cell) => ({
    params: { id: cell.fixture.cohortId, entryId: await things.makeCohortProduct(cell.test, cell.fixture.cohortId) },
    body: { dueOn: '2030-06-30' },
  }),
  detachCohortProduct: async (cell) => ({
    params: { id: cell.fixture.cohortId, entryId: await things.makeCohortProduct(cell.test, cell.fixture.cohortId) },
  }),
  listDueDates: onCohort,
  readUploadFile: (cell) => ({ ...onCohort(cell), table: true }),
  readUploadDraft: async (cell) => ({ params: await draft(cell) }),
  chooseDraftColumn: async (cell) => ({ params: await draft(cell), body: { column: 0 } }),
  confirmDraft: async (cell) => ({ params: await draft(cell), body: { slug: 'a-label' } }),
  readUpload: async (cell) => ({ params: await upload(cell) }),
  undoUpload: async (cell) => ({ params: await upload(cell), body: { name: await nameOf(cell) } }),
  readCohortProgress: onCohort,
  listCohortProgress: async (cell) => ({ params: await cohortJourney(cell) }),
  listPersonRoles: toAnother,
  'giveRole other': async (cell) => ({
    ...(await toAnother(cell)),
    body: { role: 'report-reader', kind: 'cohort', placeId: cell.fixture.cohortId },
  }),
  'giveRole own': ({ me }) => ({ params: { id: me.id }, body: { role: 'auditor', kind: 'installation' } }),
  'takeRole other': async ({ test }) => {
    const { id } = await makePerson(test);
    return { params: { id, assignmentId: await things.makeAssignment(test, id) } };
  },
  'takeRole own': async ({ test, me }) => ({
    params: { id: me.id, assignmentId: await things.makeAssignment(test, me.id) },
  }),
  readSiteSettings: () => ({}),
  uploadCertificatePicture: () => ({ params: { slot: 'seal' }, picture: true }),
  previewCertificate: () => ({}),
  uploadSiteLogo: () => ({ params: { theme: 'light' }, picture: true }),
  updateSiteSettings: async ({ test }) => ({
    body: { version: test.ctx.site.current().version, identity: {} },
  }),
  readSiteSetup: () => ({}),
  updateSiteSetup: () => ({ body: { isPutAway: true } }),
  updateSetupStep: () => ({ params: { step: 'name' }, body: { outcome: 'done' } }),
  readDemoContent: () => ({}),
  removeDemoContent: async ({ test }) => {
    await markLoaded(test.ctx.db);
    return { body: { name: test.ctx.site.current().name } };
  },
  readServerSettings: () => ({}),
  sendTestMail: () => ({}),
  listSiteNotices: () => ({}),
  createSiteNotice: () => ({ body: NOTICE }),
  updateSiteNotice: async ({ test }) => ({
    params: { id: await makeNotice(test) },
    body: { ...NOTICE, version: 1 },
  }),
  deleteSiteNotice: async ({ test }) => ({ params: { id: await makeNotice(test) } }),
  readSitePageTexts: () => ({ params: { kind: 'imprint' } }),
  updateSitePage: () => ({ params: { kind: 'imprint', locale: 'en' }, body: { version: 0, body: '' } }),
  listRoleAssignments: () => ({}),
  findRolePlaces: () => ({ query: { role: 'report-reader' } }),
  listReportPlaces: () => ({}),
  listIssuedCertificates: () => ({}),
  listAuditLog: () => ({}),
  readCourseCompletion: ({ fixture }) => ({ params: { courseSlug: fixture.elsewhere.course.slug } }),
  readPeriodReport: ({ fixture }) => ({ query: { cohort: fixture.cohortId, course: fixture.elsewhere.course.slug } }),
  readFigures: ({ fixture }) => ({ query: { cohort: fixture.cohortId, course: fixture.elsewhere.course.slug } }),
  readWaiting: () => ({}),
  listJobQueues: () => ({}),
  listFailedJobs: () => ({}),
  retryJobs: async ({ test }) => ({ body: await things.makeFailedJob(test) }),
  listMails: () => ({}),
  retryMail: async ({ test }) => ({ params: { id: await things.makeFailedMail(test) } }),
  listContentEvents: () => ({}),
  readReconciliation: () => ({}),
  startReconciliation: () => ({}),
  readSystem: () => ({}),
  listCases: () => ({}),
  listModerationFigures: () => ({}),
  findPeople: () => ({ query: { match: 'somebody' } }),
  readPerson: toAnother,
  explainApproval: toAnother,
  readTranscript: toAnother,
  downloadTranscript: toAnother,
  listPayments: toAnother,
  listPersonSessions: toAnother,
  endPersonSessions: toAnother,
  endPersonSession: async ({ test }) => {
    const person = await makePerson(test);
    return { params: { id: person.id, sessionId: await things.makeSession(test, person) } };
  },
  'resetSecondFactor own': ({ me }) => ({ params: { id: me.id } }),
  'resetSecondFactor other': toAnother,
  checkContent: () => ({ body: { text: 'A text', locale: 'en' } }),
  listContentFindings: () => ({}),
  listProducts: () => ({ query: { contentType: 'academy', match: '' } }),
  registerProduct: async ({ test }) => ({
    params: { id: await things.makeEntry(test, 'academy', things.fresh('page')) },
  }),
  readProductPermissions: async (cell) => ({ params: { id: await product(cell) } }),
  setProductPermission: async (cell) => ({
    params: { id: await product(cell) },
    body: { permission: 'can_join', scope: 'verified' },
  }),
  listProductAccess: () => ({}),
  previewProductAccess: async (cell) => ({
    params: { id: await product(cell) },
    query: { can_view: 'verified', can_join: 'private' },
  }),
  setPermissionOfProducts: async (cell) => ({
    body: { ids: [await product(cell)], permission: 'can_join', scope: 'private' },
  }),
  setProductAccess: async (cell) => ({
    params: { id: await product(cell) },
    body: { can_view: 'verified', can_join: 'private' },
  }),

  listMedia: () => ({}),
  listPieces: () => ({}),
  listSessionRegistrations: ({ fixture }) => ({ params: { id: fixture.event.session } }),
  setAttendance: async ({ test }) => {
    const [{ session }, person] = [await things.makeEvent(test), await makePerson(test)];
    return {
      params: { id: await things.giveSeat(test, session, person), userId: person.id },
      body: { attended: true },
    };
  },
  updateSession: async ({ test }) => ({
    params: { id: (await things.makeEvent(test)).session },
    body: { place: 'Library' },
  }),
  createPiece: () => ({ body: { kind: 'course', title: 'A course', slug: things.fresh('course') } }),
  'createPiece in a course': async ({ test }) => ({
    body: { kind: 'journey', title: 'A journey', parent: (await makeCourse(test)).id },
  }),
  readPiece: onPiece,
  savePiece: async ({ test }) => {
    const { params, doc } = await makePiece(test);
    return { params, body: { version: 0, doc } };
  },
  'savePiece of a translation': async ({ test }) => {
    const { params } = await makePiece(test);
    const { as } = await makePerson(test, { role: 'administrator' });
    const { doc } = (await test.call(readPiece, as, { params })).body;
    return { params, body: { version: 0, doc: { ...doc, title: { ...doc.title, de: 'Kurs' } } } };
  },
  uploadPieceFile: async ({ test }) => ({ params: (await makeLessonPiece(test)).params, table: true }),
  openPieceUpload: async ({ test }) => ({
    params: (await makeLessonPiece(test)).params,
    body: { name: 'people.csv', bytes: 18 },
  }),
  sendPieceUploadPart: async ({ test, me }) => {
    const { params, part } = await makePieceUpload(test, me);
    return { params: { ...params, number: '1' }, query: { sha256: part }, table: true };
  },
  finishPieceUpload: async ({ test, me }) => {
    const { params, whole } = await makePieceUpload(test, me, { isReceived: true });
    return { params, body: { sha256: whole } };
  },
  cancelPieceUpload: async ({ test, me }) => ({ params: (await makePieceUpload(test, me)).params }),
  listExtraTime: async ({ test }) => ({ params: { key: (await makeCourse(test)).id } }),
  listMarking: () => ({}),
  readMarking: onMarking,
  markAttempt: async (cell) => ({
    ...(await onMarking(cell)),
    body: { version: 0, marks: [{ number: 1, points: [2, 1], comment: 'Well done.' }] },
  }),
  setExtraTime: async ({ test }) => {
    const course = await makeCourse(test);
    const person = await makePerson(test);
    await enrol(test, person, course.journey);
    return { params: { key: course.id }, body: { person: person.id, percent: 25 } };
  },
  importQuestions: async ({ test }) => ({ params: (await makeLessonPiece(test)).params, table: true }),
  exportQuestions: async ({ test }) => ({
    params: (await makeLessonPiece(test)).params,
    query: { format: 'csv' },
  }),
  readQuestionStatistics: async ({ test }) => ({ params: { key: (await makeLessonPiece(test)).params.key } }),
  readEvaluationResults: async ({ test }) => ({ params: { key: (await makeCourse(test)).journey.key } }),
  removePieceFile: async ({ test }) => await pieceWithFile(test),
  uploadPiecePicture: async (cell) => ({ ...(await onPiece(cell)), picture: true }),
  discardDraft: async ({ test }) => await pieceWithDraft(test),
  publishPiece: async ({ test }) => await pieceWithDraft(test),
  withdrawPiece: async ({ test }) => await pieceWithDraft(test),
  listPieceVersions: onPiece,
  comparePiece: async (cell) => ({ ...(await onPiece(cell)), query: { from: 'live' } }),
  restorePieceVersion: async ({ test }) => await pieceWithVersion(test),
  noteWriter: onPiece,
  previewPiece: onPiece,
  deletePiece: async ({ test }) => await things.makeBegunPiece(test),
  'deletePiece in a course': async ({ test }) => await things.makeBegunJourney(test),
  orderJourneys: async ({ test }) => {
    const course = await makeCourse(test);
    return { params: { key: course.id }, body: { journeys: [course.journey.key] } };
  },
  listCommunityOwners: async (cell) => ({ params: { key: await entryOf(cell) } }),
  nameCommunityOwner: async (cell) => ({ params: { key: await entryOf(cell) }, body: { email: things.freshEmail() } }),
  removeCommunityOwner: async (cell) => {
    const key = await entryOf(cell);
    return { params: { key, email: await things.makeOwnerClaim(cell.test, key) } };
  },
  requestWholeExport: () => ({}),
  listWholeExports: () => ({}),
  'downloadWholeExport own': async ({ test, me }) => ({
    params: { exportId: await things.makeWholeExport(test, me) },
  }),
  'downloadWholeExport other': async (cell) => ({
    params: { exportId: await things.makeWholeExport(cell.test, await makePerson(cell.test)) },
  }),
  exportContent: () => ({}),
  checkContentZip: () => ({ zip: true }),
  listContentImports: () => ({}),
  readContentImport: async ({ test }) => ({ params: { importId: await things.makeContentImport(test) } }),
  beginContentImport: async ({ test }) => ({ params: { importId: await things.makeContentImport(test) } }),

  // Services.
  createAutoApproval: () => ({ body: rule() }),
  readAutoApproval: async ({ test }) => ({ params: { id: await things.makeRule(test) } }),
  listAutoApprovals: () => ({}),
  updateAutoApproval: async ({ test }) => ({ params: { id: await things.makeRule(test) }, body: rule() }),
  deleteAutoApproval: async ({ test }) => ({ params: { id: await things.makeRule(test) } }),
  reviewAutoApprovals: () => ({}),
  checkAutoApproval: () => ({ query: rule() }),
  testAutoApprovals: () => ({ body: { emails: things.freshEmail() } }),
  readRegistration: ({ fixture }) => ({ query: { email: fixture.bystander.email } }),
  'writeRegistration own': ({ me }) => decide(me.email),
  'writeRegistration other': async ({ test }) => decide((await makePerson(test)).email),
  'writeRegistration to administrator': async ({ test }) =>
    decide((await makePerson(test)).email, { role: 'administrator' }),
  'writeRegistration of administrator': async ({ test }) =>
    decide((await makePerson(test, { role: 'administrator' })).email, { role: 'inactive' }),
  createUserRecord: () => ({ body: { name: 'Somebody', email: things.freshEmail(), role: 'public-servant' } }),
  'createUserRecord to administrator': () => ({
    body: { name: 'Somebody', email: things.freshEmail(), role: 'administrator' },
  }),
  listUserRecords: () => ({}),
  'setBadges own': ({ me }) => ({ params: { id: me.id }, body: { badges: {} } }),
  'setBadges other': async (cell) => ({ ...(await toAnother(cell)), body: { badges: {} } }),
  createUserCommunity: async ({ test, fixture }) => ({
    body: { userId: (await makePerson(test)).id, communitySlug: fixture.elsewhere.community.slug },
  }),
  readUserCommunity: async ({ test, fixture }) => ({
    params: { id: await things.membershipOf(test, fixture.elsewhere.community, fixture.bystander) },
  }),
  listUserCommunities: () => ({}),
  updateUserCommunity: async ({ test, fixture }) => ({
    params: { id: await things.membershipOf(test, fixture.elsewhere.community, fixture.bystander) },
    body: {},
  }),
  createBulkEnrolment: ({ fixture }) => ({
    body: { email: things.freshEmail(), type: 'courses', slug: fixture.elsewhere.course.slug },
  }),
  readBulkEnrolment: async ({ test, fixture }) => ({
    params: { id: await things.makeBulkEnrolment(test, fixture.elsewhere.course) },
  }),
  listBulkEnrolments: () => ({}),
  updateBulkEnrolment: async ({ test, fixture }) => ({
    params: { id: await things.makeBulkEnrolment(test, fixture.elsewhere.course) },
    body: { status: 'pending' },
  }),
  enrolPerson: (cell) => ({ body: { email: things.freshEmail(), ...enrolment(cell) } }),
  enrolMany: (cell) => ({ body: { enrolments: [{ email: things.freshEmail(), ...enrolment(cell) }] } }),
  changeEnrolments: async (cell) => ({
    params: { email: (await makePerson(cell.test)).email },
    body: enrolment(cell),
  }),
  withdrawPerson: async ({ test, fixture }) => {
    const person = await makePerson(test);
    await enrol(test, person, fixture.elsewhere.course.journey);
    return { params: { email: person.email }, query: { courseSlug: fixture.elsewhere.course.slug } };
  },
  referMany: (cell) => ({ body: { referrals: [referral(cell)] } }),

  // The content platform.
  indexEntry: () => ({ body: entry() }),
  reindexEntry: () => ({ body: entry() }),
};
