import type { FastifyInstance } from 'fastify';
import { contentAssetRoutes } from '#server/areas/catalogue/content-asset.routes.ts';
import { playerRoutes } from '#server/areas/catalogue/player.routes.ts';
import { linkPreviewRoutes } from '#server/areas/assets/link-preview.routes.ts';
import { outsidePictureRoutes } from '#server/areas/assets/outside-picture.routes.ts';
import { confirmationRoutes } from '#server/areas/auth/confirmation.routes.ts';
import { emailRoutes } from '#server/areas/auth/email.routes.ts';
import { loginRoutes } from '#server/areas/auth/login.routes.ts';
import { passwordRoutes } from '#server/areas/auth/password.routes.ts';
import { providerRoutes } from '#server/areas/auth/provider.routes.ts';
import { secondFactorRoutes } from '#server/areas/auth/second-factor.routes.ts';
import { sessionRoutes } from '#server/areas/auth/session.routes.ts';
import { signUpRoutes } from '#server/areas/auth/sign-up.routes.ts';
import { approvalReviewRoutes } from '#server/areas/people/approval-review.routes.ts';
import { autoApprovalRoutes } from '#server/areas/people/auto-approval.routes.ts';
import { membershipRoutes } from '#server/areas/people/membership.routes.ts';
import { registrationRoutes } from '#server/areas/people/registration.routes.ts';
import { userRecordRoutes } from '#server/areas/people/user-record.routes.ts';
import { userRoutes } from '#server/areas/people/user.routes.ts';
import { connectionRoutes } from '#server/areas/account/connection.routes.ts';
import { exportRoutes } from '#server/areas/account/export.routes.ts';
import { profileImageRoutes } from '#server/areas/account/profile-image.routes.ts';
import { profileRoutes } from '#server/areas/account/profile.routes.ts';
import { articlePictureRoutes } from '#server/areas/articles/article-picture.routes.ts';
import { articleRoutes } from '#server/areas/articles/article.routes.ts';
import { siteRoutes } from '#server/areas/site/site.routes.ts';
import { catalogueRoutes } from '#server/areas/catalogue/catalogue.routes.ts';
import { entryRoutes } from '#server/areas/catalogue/entry.routes.ts';
import { pieceRoutes } from '#server/areas/authoring/piece.routes.ts';
import { enqueueFetch } from '#server/areas/importing/fetch-entry.jobs.ts';
import { folderImportRoutes } from '#server/areas/importing/folder-import.routes.ts';
import { reconcileRoutes } from '#server/areas/importing/reconcile.routes.ts';
import { mediaListRoutes } from '#server/areas/authoring/media-list.routes.ts';
import { pieceFileRoutes } from '#server/areas/authoring/piece-file.routes.ts';
import { pieceUploadRoutes } from '#server/areas/authoring/piece-upload.routes.ts';
import { questionFileRoutes } from '#server/areas/question-files/question-file.routes.ts';
import { piecePictureRoutes } from '#server/areas/authoring/piece-picture.routes.ts';
import { publishCheckRoutes } from '#server/areas/publish-checks/publish-check.routes.ts';
import { translationRoutes } from '#server/areas/translations/translation.routes.ts';
import { addressEnrolmentRoutes } from '#server/areas/enrolment/enrolment.routes.ts';
import { bulkEnrolmentRoutes } from '#server/areas/enrolment/record.routes.ts';
import { referralRoutes } from '#server/areas/enrolment/referral.routes.ts';
import { certificateRoutes } from '#server/areas/certificates/certificate.routes.ts';
import { credentialRoutes } from '#server/areas/certificates/credential.routes.ts';
import { transcriptRoutes } from '#server/areas/certificates/transcript.routes.ts';
import { assignmentRoutes } from '#server/areas/learner/assignment.routes.ts';
import { completionRoutes } from '#server/areas/learner/completion.routes.ts';
import { answerRoutes } from '#server/areas/learner/answer.routes.ts';
import { courseRoutes } from '#server/areas/learner/course.routes.ts';
import { enrolmentRoutes } from '#server/areas/learner/enrolment.routes.ts';
import { microcourseRoutes } from '#server/areas/learner/microcourse.routes.ts';
import { questionStatisticsRoutes } from '#server/areas/learner/question-statistics.routes.ts';
import { evaluationRoutes } from '#server/areas/learner/evaluation.routes.ts';
import { extraTimeRoutes } from '#server/areas/learner/extra-time.routes.ts';
import { markingRoutes } from '#server/areas/learner/marking.routes.ts';
import { attemptRoutes } from '#server/areas/learner/attempt.routes.ts';
import { paymentRoutes } from '#server/areas/learner/payment.routes.ts';
import { userProductRoutes } from '#server/areas/learner/product.routes.ts';
import { activityRoutes } from '#server/areas/community/posts/activity.routes.ts';
import { communityRoutes } from '#server/areas/community/members/community.routes.ts';
import { lessonDiscussionRoutes } from '#server/areas/community/discussions/lesson-discussion.routes.ts';
import { lessonShareRoutes } from '#server/areas/community/discussions/lesson-share.routes.ts';
import { memberRoutes } from '#server/areas/community/members/member.routes.ts';
import { payloadTranslationRoutes } from '#server/areas/community/posts/payload-translation.routes.ts';
import { pollRoutes } from '#server/areas/community/polls/poll.routes.ts';
import { profileFeedRoutes } from '#server/areas/community/posts/profile-feed.routes.ts';
import { postPictureRoutes } from '#server/areas/community/pictures/picture.routes.ts';
import { reactionRoutes } from '#server/areas/community/reactions/reaction.routes.ts';
import { shareRoutes } from '#server/areas/community/posts/share.routes.ts';
import { hideShares, showShares } from '#server/areas/community/posts/share.service.ts';
import { userCommunityRoutes } from '#server/areas/community/members/user-community.routes.ts';
import { eventRoutes } from '#server/areas/events/event.routes.ts';
import { editorialRoutes } from '#server/areas/hubs/editorial.routes.ts';
import { jobAnalysisRoutes } from '#server/areas/ai/job-analysis.routes.ts';
import { jobTaskRoutes } from '#server/areas/ai/job-task.routes.ts';
import { threadRoutes } from '#server/areas/ai/thread.routes.ts';
import { decisionRoutes } from '#server/areas/moderation/decision.routes.ts';
import { moderationOfficeRoutes } from '#server/areas/moderation/office.routes.ts';
import { reportRoutes } from '#server/areas/moderation/report.routes.ts';
import { settingsRoutes } from '#server/areas/community/members/settings.routes.ts';
import { followRoutes } from '#server/areas/notifications/follow.routes.ts';
import { inboxRoutes } from '#server/areas/notifications/inbox.routes.ts';
import { preferenceRoutes } from '#server/areas/notifications/preference.routes.ts';
import { pushRoutes } from '#server/areas/notifications/push.routes.ts';
import { streamRoutes } from '#server/areas/notifications/stream.routes.ts';
import { unsubscribeRoutes } from '#server/areas/notifications/unsubscribe.routes.ts';
import { searchRoutes } from '#server/areas/search/search.routes.ts';
import { auditRoutes } from '#server/areas/admin/audit.routes.ts';
import { cohortLifecycleRoutes } from '#server/areas/admin/cohort-lifecycle.routes.ts';
import { cohortRoutes } from '#server/areas/admin/cohort.routes.ts';
import { figureRoutes } from '#server/areas/admin/figure.routes.ts';
import { designRoutes } from '#server/areas/certificates/design.routes.ts';
import { issuedCertificateRoutes } from '#server/areas/admin/issued-certificate.routes.ts';
import { courseReportRoutes } from '#server/areas/admin/course-report.routes.ts';
import { draftRoutes } from '#server/areas/admin/draft.routes.ts';
import { cohortMemberRoutes } from '#server/areas/admin/member.routes.ts';
import { operationsRoutes } from '#server/areas/admin/operations.routes.ts';
import { productAccessRoutes } from '#server/areas/admin/product-access.routes.ts';
import { personRoutes } from '#server/areas/admin/person.routes.ts';
import { cohortProductRoutes } from '#server/areas/admin/product.routes.ts';
import { cohortSettingsRoutes } from '#server/areas/admin/cohort-settings.routes.ts';
import { periodReportRoutes } from '#server/areas/admin/period-report.routes.ts';
import { reminderRoutes } from '#server/areas/admin/reminder.routes.ts';
import { cohortProgressRoutes } from '#server/areas/admin/progress.routes.ts';
import { resendRoutes } from '#server/areas/admin/resend.routes.ts';
import { roleRoutes } from '#server/areas/admin/role.routes.ts';
import { uploadRoutes } from '#server/areas/admin/upload.routes.ts';
import { wholeExportRoutes } from '#server/areas/archive/whole-export.routes.ts';
import { demoContentRoutes } from '#server/demo/demo-content.routes.ts';
import type { Ctx } from '#server/ctx.ts';

/** Files and pictures. */
function assetRoutes(app: FastifyInstance, ctx: Ctx): void {
  contentAssetRoutes(app, ctx);
  playerRoutes(app, ctx);
  linkPreviewRoutes(app, ctx);
  outsidePictureRoutes(app, ctx);
}

/** Signing in, people and their accounts. */
function accountRoutes(app: FastifyInstance, ctx: Ctx): void {
  confirmationRoutes(app, ctx);
  emailRoutes(app, ctx);
  loginRoutes(app, ctx);
  passwordRoutes(app, ctx);
  secondFactorRoutes(app, ctx);
  providerRoutes(app, ctx);
  sessionRoutes(app, ctx);
  signUpRoutes(app, ctx);
  autoApprovalRoutes(app, ctx);
  approvalReviewRoutes(app, ctx);
  membershipRoutes(app, ctx);
  registrationRoutes(app, ctx);
  userRecordRoutes(app, ctx);
  userRoutes(app, ctx);
  connectionRoutes(app, ctx);
  exportRoutes(app, ctx);
  profileImageRoutes(app, ctx);
  profileRoutes(app, ctx);
}

/** Content: reading, writing, importing and translating it. */
function contentRoutes(app: FastifyInstance, ctx: Ctx): void {
  articlePictureRoutes(app, ctx);
  articleRoutes(app, ctx, { hide: hideShares, show: showShares });
  siteRoutes(app, ctx);
  demoContentRoutes(app, ctx);
  catalogueRoutes(app, ctx);
  entryRoutes(app, ctx, enqueueFetch);
  pieceRoutes(app, ctx);
  folderImportRoutes(app, ctx);
  reconcileRoutes(app, ctx);
  piecePictureRoutes(app, ctx);
  pieceFileRoutes(app, ctx);
  mediaListRoutes(app, ctx);
  pieceUploadRoutes(app, ctx);
  questionFileRoutes(app, ctx);
  publishCheckRoutes(app, ctx);
  translationRoutes(app, ctx);
}

/** Enrolment, learning and certificates. */
function learningRoutes(app: FastifyInstance, ctx: Ctx): void {
  addressEnrolmentRoutes(app, ctx);
  bulkEnrolmentRoutes(app, ctx);
  referralRoutes(app, ctx);
  certificateRoutes(app, ctx);
  designRoutes(app, ctx);
  credentialRoutes(app, ctx);
  transcriptRoutes(app, ctx);
  completionRoutes(app, ctx);
  courseRoutes(app, ctx);
  answerRoutes(app, ctx);
  enrolmentRoutes(app, ctx);
  assignmentRoutes(app, ctx);
  microcourseRoutes(app, ctx);
  attemptRoutes(app, ctx);
  markingRoutes(app, ctx);
  questionStatisticsRoutes(app, ctx);
  evaluationRoutes(app, ctx);
  extraTimeRoutes(app, ctx);
  paymentRoutes(app, ctx);
  userProductRoutes(app, ctx);
}

/** Communities, editorial pages, events and the assistant. */
function socialRoutes(app: FastifyInstance, ctx: Ctx): void {
  activityRoutes(app, ctx);
  communityRoutes(app, ctx);
  lessonDiscussionRoutes(app, ctx);
  lessonShareRoutes(app, ctx);
  memberRoutes(app, ctx);
  payloadTranslationRoutes(app, ctx);
  pollRoutes(app, ctx);
  profileFeedRoutes(app, ctx);
  postPictureRoutes(app, ctx);
  reactionRoutes(app, ctx);
  shareRoutes(app, ctx);
  userCommunityRoutes(app, ctx);
  editorialRoutes(app, ctx);
  eventRoutes(app, ctx);
  jobTaskRoutes(app, ctx);
  jobAnalysisRoutes(app, ctx);
  threadRoutes(app, ctx);
}

/** Settings, moderation, notifications and search. */
function attentionRoutes(app: FastifyInstance, ctx: Ctx): void {
  settingsRoutes(app, ctx);
  reportRoutes(app, ctx);
  decisionRoutes(app, ctx);
  moderationOfficeRoutes(app, ctx);
  followRoutes(app, ctx);
  inboxRoutes(app, ctx);
  preferenceRoutes(app, ctx);
  pushRoutes(app, ctx);
  streamRoutes(app, ctx);
  unsubscribeRoutes(app, ctx);
  searchRoutes(app, ctx);
}

/** Administration. */
function administrationRoutes(app: FastifyInstance, ctx: Ctx): void {
  auditRoutes(app, ctx);
  cohortRoutes(app, ctx);
  cohortLifecycleRoutes(app, ctx);
  cohortMemberRoutes(app, ctx);
  cohortProductRoutes(app, ctx);
  productAccessRoutes(app, ctx);
  personRoutes(app, ctx);
  uploadRoutes(app, ctx);
  wholeExportRoutes(app, ctx);
  figureRoutes(app, ctx);
  courseReportRoutes(app, ctx);
  issuedCertificateRoutes(app, ctx);
  operationsRoutes(app, ctx);
  draftRoutes(app, ctx);
  resendRoutes(app, ctx);
  roleRoutes(app, ctx);
  cohortProgressRoutes(app, ctx);
  cohortSettingsRoutes(app, ctx);
  reminderRoutes(app, ctx);
  periodReportRoutes(app, ctx);
}

/** The operations of every area, in the order of the areas' dependencies. */
export function areaRoutes(app: FastifyInstance, ctx: Ctx): void {
  assetRoutes(app, ctx);
  accountRoutes(app, ctx);
  contentRoutes(app, ctx);
  learningRoutes(app, ctx);
  socialRoutes(app, ctx);
  attentionRoutes(app, ctx);
  administrationRoutes(app, ctx);
}
