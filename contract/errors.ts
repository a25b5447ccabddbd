import { accountErrors } from './account.ts';
import { adminErrors } from './admin.ts';
import { assessmentErrors } from './assessments.ts';
import { assetsErrors } from './assets.ts';
import { authErrors } from './auth.ts';
import { authoringErrors } from './authoring.ts';
import { cohortErrors } from './cohorts.ts';
import { communityErrors } from './community.ts';
import { contentErrors } from './content.ts';
import { contentFolderErrors } from './content-folder.ts';
import { enrolmentErrors } from './enrolment.ts';
import { evaluationErrors } from './evaluations.ts';
import { eventErrors } from './events.ts';
import { followErrors } from './follows.ts';
import { markingErrors } from './marking.ts';
import { moderationErrors } from './decisions.ts';
import { learnerErrors } from './learner.ts';
import { lessonDiscussionErrors } from './lesson-discussions.ts';
import { notificationErrors } from './notifications.ts';
import { operationsErrors } from './operations.ts';
import { paymentErrors } from './payments.ts';
import { peopleErrors } from './people.ts';
import { personalDataErrors } from './personal-data.ts';
import { pieceUploadErrors } from './piece-uploads.ts';
import { pollErrors } from './polls.ts';
import { providerSignInErrors } from './provider-sign-in.ts';
import { pushErrors } from './push.ts';
import { questionFileErrors } from './question-files.ts';
import { siteErrors } from './site.ts';
import { secondFactorErrors } from './second-factor.ts';
import { translationErrors } from './translation.ts';
import { renewalErrors } from './renewals.ts';
import { roleErrors } from './roles.ts';

/** Errors that any operation may answer. */
export const commonErrors = {
  'request.invalid': { status: 400, message: 'The request is not valid.' },
  'request.malformed': { status: 400, message: 'The request could not be read.' },
  'auth.required': { status: 401, message: 'Sign in first.' },
  'auth.wrong_key': { status: 401, message: 'The key is not valid.' },
  'preview.read_only': {
    status: 409,
    message: 'You are seeing the site as a learner, where nothing can be changed. End the preview first.',
  },
  'auth.cross_site': { status: 403, message: 'The request came from another site.' },
  'auth.not_proven': { status: 403, message: 'Confirm your e-mail address first.' },
  'auth.inactive': { status: 403, message: 'This account is inactive.' },
  'auth.second_factor_missing': {
    status: 403,
    message: 'Set up a second factor first: administrators need one here.',
  },
  'auth.forbidden': { status: 403, message: 'You may not do this.' },
  'request.not_found': { status: 404, message: 'Not found.' },
  'request.conflict': { status: 409, message: 'This conflicts with the current state.' },
  'idempotency.reused': { status: 409, message: 'This Idempotency-Key was used for another request.' },
  'request.too_large': { status: 413, message: 'The request is too large.' },
  'request.media_type': { status: 415, message: 'Send application/json.' },
  'request.too_many': { status: 429, message: 'Too many requests. Try again later.' },
  'server.failed': { status: 500, message: 'Something went wrong on our side.' },
  'server.unavailable': { status: 503, message: 'The service is not available at the moment. Try again shortly.' },
} as const;

export const ERRORS = {
  ...commonErrors,
  ...accountErrors,
  ...adminErrors,
  ...assessmentErrors,
  ...evaluationErrors,
  ...renewalErrors,
  ...assetsErrors,
  ...authErrors,
  ...authoringErrors,
  ...pieceUploadErrors,
  ...cohortErrors,
  ...roleErrors,
  ...communityErrors,
  ...contentErrors,
  ...contentFolderErrors,
  ...enrolmentErrors,
  ...eventErrors,
  ...followErrors,
  ...learnerErrors,
  ...lessonDiscussionErrors,
  ...markingErrors,
  ...moderationErrors,
  ...notificationErrors,
  ...operationsErrors,
  ...paymentErrors,
  ...peopleErrors,
  ...personalDataErrors,
  ...pollErrors,
  ...providerSignInErrors,
  ...pushErrors,
  ...questionFileErrors,
  ...secondFactorErrors,
  ...siteErrors,
  ...translationErrors,
} as const;
export type ErrorCode = keyof typeof ERRORS;
