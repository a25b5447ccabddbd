import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENDPOINTS } from '@officium/contract/services';
import { expect, it } from 'vitest';

const WEB = fileURLToPath(new URL('.', import.meta.url));

/** Operations that no page sends, by the reason. */
const WITHOUT_PAGE: Record<string, readonly string[]> = {
  'Other systems send it with a service key': [
    'changeEnrolments',
    'createBulkEnrolment',
    'createUserCommunity',
    'enrolMany',
    'listMembershipsOfUser',
    'listUserCommunities',
    'listUserRecords',
    'mintToken',
    'readRegistration',
    'readUserCommunity',
    'referMany',
    'updateUserCommunity',
    'withdrawPerson', // a person leaves on the page of the course; administrators end places on the page of the person
  ],
  'The content platform sends it, or reads the slugs': ['indexEntry', 'reindexEntry', 'readEntrySlug'],
  'A link leads to it, in a mail, a calendar or a page': [
    'downloadCalendarFeed',
    'downloadEventCalendar',
    'exchangeToken',
    'exportContent',
    'exportQuestions',
    'openUnsubscribe',
    'readDataExport',
  ],
  'A script of a page sends it by its path': [
    'cancelPieceUpload',
    'finishPieceUpload',
    'openPieceUpload',
    'sendPieceUploadPart',
    'startPasskey',
    'startPasskeySignIn',
    'streamNotifications',
  ],
  'The frame of every page reads it by its path': ['countNotifications'],
  'The frame of every page has it from the process': ['readSite'],
  'Pages use a wider operation for the same': [
    'checkContent', // publication checks the whole course
    'checkEmail', // signing in and up answer alike for known and unknown addresses
    'checkPassword', // the confirmation of the password
    'classifyTask', // an analysis of several tasks
    'confirmMySignUp', // a code or link without a session
    'createMyCertificate', // issued with the last lesson
    'createProfile', // the welcome page updates the account
    'createUpload', // a draft, which is checked first
    'giveUserProduct', // enrolling one or several people, with a check
    'listAutoApprovals', // the rules with their figures
    'listCohortInvitations', // sorted, with how each stands
    'listCohortUsers', // sorted, with progress
    'listCommunitiesOfUser',
    'listLessonCompletions',
    'listMyActivities',
    'listMyCourses',
    'listMyJourneys',
    'listMyJourneysOfCourse', // my learning
    'listMyLessons',
    'listUserProducts', // my learning; the enrolments of a person in administration
    'listUserReferrals', // the export of personal data
    'readPoll',
    'recordLessonCompletion',
    'recordMyLesson',
    'refreshIdentity',
    'searchUsers',
    'setCohortProducts', // one product at a time
    'setMemberType',
    'setNickname',
    'setProductPermission', // after a preview of how many people it affects
    'translatePayload',
    'updateUser',
    'updateUserProduct', // extending and ending a place
    'updateUserReferrals',
  ],
  'Polls outside communities belong to other systems': ['createPoll', 'removePoll'],
};

it('gives every operation a page, or a reason why it has none', () => {
  const files = globSync('{app,worker}/**/*.{ts,tsx}', { cwd: WEB }).filter((file) => !/\.test\.tsx?$/.test(file));
  const words = new Set(files.flatMap((file) => readFileSync(join(WEB, file), 'utf8').match(/\w+/g) ?? []));
  const without = ENDPOINTS.map(({ name }) => name).filter((name) => !words.has(name));
  expect(without.toSorted()).toEqual(Object.values(WITHOUT_PAGE).flat().toSorted());
});
