import { SUBJECTS, type SubjectName } from './subjects.ts';
import type { Place } from './fixture.ts';

/** The test file of each table is `<part>.test.ts`; the files run in parallel. */
export const PARTS = ['authority', 'office', 'communities', 'courses'] as const;
export type Part = (typeof PARTS)[number];

/**
 * Access rules: a row for each operation of the contract, and for each of its cases with a different outcome; a column
 * for each subject.
 *
 * `yes` means success. `401` not signed in. `403` the object is visible, but the action is not allowed. `404` the
 * object does not exist or is hidden. `207` partial success. `409` a conflict for everyone.
 *
 * The first word of a row is the operation, the rest is the case: `own` belongs to the caller, `other` to another
 * person, `of an owner` to an owner of the community. `*.requests.ts` has the request of each row under the same name.
 * The columns are the subjects of `subjects.ts`, in the community and the course of the table:
 *
 * - `inact` and `expir` hold the same as `membr`, with an inactive account and an expired session;
 * - `nonps` and `publ` are strangers: a non-public servant and a public servant;
 * - `reduc` has the reduced level in both: granted by the database in the community, by its token in the course;
 * - `membr`, `moder` and `owner` are roles in the community, and all are learners of the course;
 * - `admin` belongs to neither;
 * - `narrw` is a moderator and learner whose token says reduced for the community and omits the course.
 *
 * The tokens of `reduc` and `narrw` include nothing else: they hide other courses, `narrw` hides other communities, and
 * operations on the account are refused.
 *
 * Expectations come from the contract, not from the code.
 */
export type Table = {
  title: string;
  /** The state of the community or course; open by default. */
  community?: Place;
  course?: Place;
  rows: string;
};

export const TABLES: readonly (Table & { part: Part })[] = [
  {
    title: 'sign-up, sign-in and the account',
    part: 'authority',
    rows: `
                                          anon  inact nonps publ  reduc membr moder owner admin servc webhk expir narrw
      readSession                         yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      createAccount                       yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      resendSignUpCode                    yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      confirmSignUp                       yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      confirmMySignUp                     401   yes   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      checkEmail                          yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      signIn                              yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      requestLoginLink                    yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      confirmLoginLink                    yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      requestPasswordReset                yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      setPassword with a secret           yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      setPassword with the old one        401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      mintToken                           401   403   403   403   403   403   403   403   403   yes   401   401   403
      mintToken of administrator          401   403   403   403   403   403   403   403   403   403   401   401   403
      exchangeToken                       yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      listSessions                        401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      deleteSession own                   401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      deleteSession other                 401   403   404   404   403   404   404   404   404   403   401   401   403
      signOut                             401   yes   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      deleteAccount own                   401   yes   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      deleteAccount other                 401   403   403   403   403   403   403   403   yes   403   401   401   403
      eraseUser own                       401   yes   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      eraseUser other                     401   403   403   403   403   403   403   403   yes   403   401   401   403
      requestDataExport                   401   yes   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      listDataExports                     401   yes   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readDataExport own                  401   yes   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readDataExport other                401   404   404   404   404   404   404   404   404   403   401   401   404
      downloadDataExport own              401   yes   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      downloadDataExport other            401   404   404   404   403   404   404   404   404   403   401   401   403
      changeEmail                         401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      confirmEmailChange own              401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      confirmEmailChange other            401   403   400   400   403   400   400   400   400   403   401   401   403
      refreshIdentity                     401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readSecondFactor                    401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      startTotp                           401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      confirmTotp                         401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      removeTotp                          401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      renewRecoveryCodes                  401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      startPasskey                        401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      addPasskey                          401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      renamePasskey own                   401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      renamePasskey other                 401   403   404   404   403   404   404   404   404   403   401   401   403
      removePasskey own                   401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      removePasskey other                 401   403   404   404   403   404   404   404   404   403   401   401   403
      startPasskeySignIn                  yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      signInWithPasskey                   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      startFactorPasskey                  yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      proveSecondFactor                   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      readSignInWays                      yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      startProviderSignIn                 yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      finishProviderSignIn                yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      readConfirmation                    401   yes   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      mailConfirmationCode                401   yes   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      startConfirmationPasskey            401   yes   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      confirmSession                      401   yes   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      setMemberType                       401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      setNickname                         401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      checkPassword                       401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      setLocale                           401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      setVisibility                       401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      createProfile                       401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      updateProfile                       401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readProfile own                     401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readProfile other                   401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      uploadProfileImage own              401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      uploadProfileImage other            401   403   403   403   403   403   403   403   403   403   401   401   403
      updateUser own                      401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      updateUser other                    401   403   403   403   403   403   403   403   yes   403   401   401   403
      updateUser own badges               401   403   403   403   403   403   403   403   403   403   401   401   403
      updateUser other badges             401   403   403   403   403   403   403   403   yes   403   401   401   403
      readUserRecord own                  401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readUserRecord other                401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      updateUserRecord own                401   403   yes   yes   yes   yes   yes   yes   yes   yes   401   401   yes
      updateUserRecord other              401   403   403   403   403   403   403   403   yes   yes   401   401   403
      updateUserRecord own role           401   403   403   403   403   403   403   403   403   403   401   401   403
      updateUserRecord other role         401   403   403   403   403   403   403   403   yes   yes   401   401   403
      updateUserRecord to administrator   401   403   403   403   403   403   403   403   yes   403   401   401   403
      updateUserRecord of administrator   401   403   403   403   403   403   403   403   yes   403   401   401   403
    `,
  },
  {
    title: 'other people',
    part: 'authority',
    rows: `
                                          anon  inact nonps publ  reduc membr moder owner admin servc webhk expir narrw
      searchUsers                         401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listCommunitiesOfUser               401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listMembershipsOfUser               401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listProfileActivities               401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listMyActivities                    401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      askToConnect                        401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listConnections own                 401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listConnections other               401   403   403   403   403   403   403   403   403   403   401   401   403
      readConnection own                  401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readConnection other                401   403   404   404   404   404   404   404   404   403   401   401   404
      moveConnection requested            401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      moveConnection not requested        401   403   409   409   409   409   409   409   409   403   401   401   409
      referColleague                      401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      listUserReferrals own               401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listUserReferrals other             401   403   403   403   403   403   403   403   yes   403   401   401   403
      updateUserReferrals own             401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      updateUserReferrals other           401   403   403   403   403   403   403   403   yes   403   401   401   403
      createPoll                          401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readPoll on a profile               401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      castVote on a profile               401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      removePoll own on a profile         401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      removePoll other on a profile       401   403   403   403   403   403   403   403   yes   403   401   401   403
    `,
  },
  {
    title: 'own learning',
    part: 'authority',
    rows: `
                                          anon  inact nonps publ  reduc membr moder owner admin servc webhk expir narrw
      listMyCourses                       401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listMyJourneys                      401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listMyLessons                       401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readMyLearning                      401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listMyMicrocourses                  401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listMyAssignments                   401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readMyTranscript                    401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      downloadMyTranscript                401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readMyPayment own                   401   403   yes   yes   404   yes   yes   yes   yes   403   401   401   404
      readMyPayment other                 401   403   404   404   404   404   404   404   404   403   401   401   404
      completeMicrocourse                 401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listLessonCompletions               401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listUserProducts own                401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listUserProducts other              401   403   403   403   403   403   403   403   yes   403   401   401   403
      updateUserProduct own               401   403   yes   yes   404   yes   yes   yes   yes   403   401   401   404
      updateUserProduct own expiry        401   403   403   403   403   403   403   403   yes   403   401   401   403
      updateUserProduct other             401   403   403   403   403   403   403   403   yes   403   401   401   403
      listNotifications                   401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listMyDecisions                     401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listMyReports                       401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      countNotifications                  401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readNotification own                401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   404
      readNotification other              401   403   404   404   404   404   404   404   404   403   401   401   404
      readAllNotifications                401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readPush                            401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      addPushDevice                       401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      removePushDevice own                401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      removePushDevice other              401   403   404   404   403   404   404   404   404   403   401   401   403
      readNotificationPreferences         401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      updateNotificationPreferences       401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readMyRegistration                  401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listFollows                         401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readPersonFollow                    401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      setPersonFollow                     401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      setTopicFollow                      401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      openUnsubscribe                     yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      unsubscribe with a wrong link       400   400   400   400   400   400   400   400   400   400   400   400   400
      verifyCertificate                   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      checkCertificateFile                yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      correctMyCertificate own            401   403   yes   yes   404   yes   yes   yes   yes   403   401   401   404
      correctMyCertificate other          401   403   404   404   404   404   404   404   404   403   401   401   404
      revokeCertificate                   401   403   403   403   403   403   403   403   yes   403   401   401   403
      listThreads                         401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      deleteThread own                    401   403   yes   yes   404   yes   yes   yes   yes   403   401   401   404
      deleteThread other                  401   403   404   404   404   404   404   404   404   403   401   401   404
    `,
  },
  {
    title: 'public content',
    part: 'authority',
    rows: `
                                          anon  inact nonps publ  reduc membr moder owner admin servc webhk expir narrw
      listCatalogue                       yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      search                              yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      listAcademies                       yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      readAcademy                         yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      joinAcademy                         401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readMicrocourse                     yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      listEditorials                      yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      readSite                            yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      readSitePage                        yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      readEditorial                       yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      findMovedPage of a hub              yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      listEvents                          yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      readEvent                           yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      downloadEventCalendar               yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      registerForSession                  401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      leaveSession own                    401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listMySessions                      401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readCalendarFeedState               401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      createCalendarFeed                  401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      deleteCalendarFeed                  401   403   yes   yes   403   yes   yes   yes   yes   403   401   401   403
      downloadCalendarFeed with a wrong token 404   404   404   404   404   404   404   404   404   404   404   404   404
      findMovedPage of a microcourse      yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      readEntrySlug                       yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      listArticles                        yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      listArticles own                    401   yes   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readArticle                         yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      createArticle                       401   403   403   yes   yes   yes   yes   yes   yes   403   401   401   yes
      uploadArticlePicture                401   403   403   yes   yes   yes   yes   yes   yes   403   401   401   yes
      previewArticle                      401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      updateArticle own                   401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      updateArticle other                 401   403   403   403   403   403   403   403   403   403   401   401   403
      deleteArticle own                   401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      deleteArticle other                 401   403   403   403   403   403   403   403   403   403   401   401   403
      restoreArticle own                  401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      restoreArticle other                401   403   404   404   404   404   404   404   404   403   401   401   404
      reportContent article               401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      reportContent own article           401   403   403   403   403   403   403   403   403   403   401   401   403
      listReports of articles             401   403   403   403   403   403   403   403   yes   403   401   401   403
      decideReports of an article         401   403   403   403   403   403   403   403   yes   403   401   401   403
      claimCase of an article             401   403   403   403   403   403   403   403   yes   403   401   401   403
      listAppeals of articles             401   403   403   403   403   403   403   403   yes   403   401   401   403
      translate                           401   403   403   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readArticleTranslation              401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listTranslationSources              401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readLinkPreview                     401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      classifyTask                        401   403   403   yes   yes   yes   yes   yes   yes   403   401   401   yes
      analyseJob                          401   403   403   yes   yes   yes   yes   yes   yes   403   401   401   yes
      listJobAnalyses                     401   403   403   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readJobAnalysis own                 401   403   403   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readJobAnalysis other               401   403   403   404   404   404   404   404   404   403   401   401   404
    `,
  },
  {
    title: 'the administration',
    part: 'office',
    rows: `
                                          anon  inact nonps publ  reduc membr moder owner admin servc webhk expir narrw
      createCohort                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      listCohorts                         401   403   403   403   403   403   403   403   yes   403   401   401   403
      readCohort                          401   403   403   403   403   403   403   403   yes   403   401   401   403
      updateCohort                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      renameCohort                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      archiveCohort                       401   403   403   403   403   403   403   403   yes   403   401   401   403
      reopenCohort                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      listArchivedCohorts                 401   403   403   403   403   403   403   403   yes   403   401   401   403
      previewCohortDeletion               401   403   403   403   403   403   403   403   yes   403   401   401   403
      deleteCohort                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      searchCohortMembers                 401   403   403   403   403   403   403   403   yes   403   401   401   403
      listCohortProducts                  401   403   403   403   403   403   403   403   yes   403   401   401   403
      setCohortProducts                   401   403   403   403   403   403   403   403   yes   403   401   401   403
      createUpload                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      listUploads                         401   403   403   403   403   403   403   403   yes   403   401   401   403
      listUploadAddresses                 401   403   403   403   403   403   403   403   yes   403   401   401   403
      addCohortUser                       401   403   403   403   403   403   403   403   yes   403   401   401   403
      listCohortUsers                     401   403   403   403   403   403   403   403   yes   403   401   401   403
      listCohortInvitations               401   403   403   403   403   403   403   403   yes   403   401   401   403
      listCohortTypes                     401   403   403   403   403   403   403   403   yes   403   401   401   403
      removeCohortMember                  401   403   403   403   403   403   403   403   yes   403   401   401   403
      withdrawInvitation                  401   403   403   403   403   403   403   403   yes   403   401   401   403
      searchInvitations                   401   403   403   403   403   403   403   403   yes   403   401   401   403
      resendInvitations                   401   403   403   403   403   403   403   403   yes   403   401   401   403
      listResends                         401   403   403   403   403   403   403   403   yes   403   401   401   403
      readCohortSettings                  401   403   403   403   403   403   403   403   yes   403   401   401   403
      updateCohortSettings                401   403   403   403   403   403   403   403   yes   403   401   401   403
      previewInvitationMail               401   403   403   403   403   403   403   403   yes   403   401   401   403
      remindLearners                      401   403   403   403   403   403   403   403   yes   403   401   401   403
      attachCohortProduct                 401   403   403   403   403   403   403   403   yes   403   401   401   403
      attachCohortProduct again           401   403   403   403   403   403   403   403   yes   403   401   401   403
      detachCohortProduct                 401   403   403   403   403   403   403   403   yes   403   401   401   403
      listDueDates                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      readUploadFile                      401   403   403   403   403   403   403   403   yes   403   401   401   403
      readUploadDraft                     401   403   403   403   403   403   403   403   yes   403   401   401   403
      chooseDraftColumn                   401   403   403   403   403   403   403   403   yes   403   401   401   403
      confirmDraft                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      readUpload                          401   403   403   403   403   403   403   403   yes   403   401   401   403
      undoUpload                          401   403   403   403   403   403   403   403   yes   403   401   401   403
      readCohortProgress                  401   403   403   403   403   403   403   403   yes   403   401   401   403
      listCohortProgress                  401   403   403   403   403   403   403   403   yes   403   401   401   403
      listProducts                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      registerProduct                     401   403   403   403   403   403   403   403   yes   403   401   401   403
      readProductPermissions              401   403   403   403   403   403   403   403   yes   403   401   401   403
      setProductPermission                401   403   403   403   403   403   403   403   yes   403   401   401   403
      listProductAccess                   401   403   403   403   403   403   403   403   yes   403   401   401   403
      previewProductAccess                401   403   403   403   403   403   403   403   yes   403   401   401   403
      setProductAccess                    401   403   403   403   403   403   403   403   yes   403   401   401   403
      setPermissionOfProducts             401   403   403   403   403   403   403   403   yes   403   401   401   403
      listPersonRoles                     401   403   403   403   403   403   403   403   yes   403   401   401   403
      giveRole other                      401   403   403   403   403   403   403   403   yes   403   401   401   403
      giveRole own                        401   403   403   403   403   403   403   403   403   403   401   401   403
      takeRole other                      401   403   403   403   403   403   403   403   yes   403   401   401   403
      takeRole own                        401   403   403   403   403   403   403   403   403   403   401   401   403
      readSiteSettings                    401   403   403   403   403   403   403   403   yes   403   401   401   403
      uploadCertificatePicture            401   403   403   403   403   403   403   403   yes   403   401   401   403
      previewCertificate                  401   403   403   403   403   403   403   403   yes   403   401   401   403
      uploadSiteLogo                      401   403   403   403   403   403   403   403   yes   403   401   401   403
      updateSiteSettings                  401   403   403   403   403   403   403   403   yes   403   401   401   403
      readSiteSetup                       401   403   403   403   403   403   403   403   yes   403   401   401   403
      updateSiteSetup                     401   403   403   403   403   403   403   403   yes   403   401   401   403
      updateSetupStep                     401   403   403   403   403   403   403   403   yes   403   401   401   403
      readDemoContent                     401   403   403   403   403   403   403   403   yes   403   401   401   403
      removeDemoContent                   401   403   403   403   403   403   403   403   yes   403   401   401   403
      readServerSettings                  401   403   403   403   403   403   403   403   yes   403   401   401   403
      sendTestMail                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      listSiteNotices                     401   403   403   403   403   403   403   403   yes   403   401   401   403
      createSiteNotice                    401   403   403   403   403   403   403   403   yes   403   401   401   403
      updateSiteNotice                    401   403   403   403   403   403   403   403   yes   403   401   401   403
      deleteSiteNotice                    401   403   403   403   403   403   403   403   yes   403   401   401   403
      readSitePageTexts                   401   403   403   403   403   403   403   403   yes   403   401   401   403
      updateSitePage                      401   403   403   403   403   403   403   403   yes   403   401   401   403
      listRoleAssignments                 401   403   403   403   403   403   403   403   yes   403   401   401   403
      findRolePlaces                      401   403   403   403   403   403   403   403   yes   403   401   401   403
      listReportPlaces                    401   403   403   403   403   403   403   403   yes   403   401   401   403
      listAuditLog                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      readFigures                         401   403   403   403   403   403   403   403   yes   403   401   401   403
      readPeriodReport                    401   403   403   403   403   403   403   403   yes   403   401   401   403
      listIssuedCertificates              401   403   403   403   403   403   403   403   yes   403   401   401   403
      readCourseCompletion                401   403   403   403   403   403   403   403   yes   403   401   401   403
      readWaiting                         401   403   403   403   403   403   403   403   yes   403   401   401   403
      listJobQueues                       401   403   403   403   403   403   403   403   yes   403   401   401   403
      listFailedJobs                      401   403   403   403   403   403   403   403   yes   403   401   401   403
      retryJobs                           401   403   403   403   403   403   403   403   yes   403   401   401   403
      listMails                           401   403   403   403   403   403   403   403   yes   403   401   401   403
      retryMail                           401   403   403   403   403   403   403   403   yes   403   401   401   403
      listContentEvents                   401   403   403   403   403   403   403   403   yes   403   401   401   403
      readReconciliation                  401   403   403   403   403   403   403   403   yes   403   401   401   403
      startReconciliation                 401   403   403   403   403   403   403   403   409   403   401   401   403
      readSystem                          401   403   403   403   403   403   403   403   yes   403   401   401   403
      listCases                           401   403   403   403   403   403   403   403   yes   403   401   401   403
      listModerationFigures               yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      listSessionRegistrations            401   403   403   403   403   403   403   403   yes   403   401   401   403
      setAttendance                       401   403   403   403   403   403   403   403   yes   403   401   401   403
      updateSession                       401   403   403   403   403   403   403   403   yes   403   401   401   403
      listMedia                           401   403   403   403   403   403   403   403   yes   403   401   401   403
      listPieces                          401   403   403   403   403   403   403   403   yes   403   401   401   403
      createPiece                         401   403   403   403   403   403   403   403   yes   403   401   401   403
      createPiece in a course             401   403   403   403   403   403   403   403   yes   403   401   401   403
      readPiece                           401   403   403   403   403   403   403   403   yes   403   401   401   403
      savePiece                           401   403   403   403   403   403   403   403   yes   403   401   401   403
      savePiece of a translation          401   403   403   403   403   403   403   403   yes   403   401   401   403
      uploadPiecePicture                  401   403   403   403   403   403   403   403   yes   403   401   401   403
      uploadPieceFile                     401   403   403   403   403   403   403   403   yes   403   401   401   403
      openPieceUpload                     401   403   403   403   403   403   403   403   yes   403   401   401   403
      sendPieceUploadPart                 401   403   403   403   403   403   403   403   yes   403   401   401   403
      finishPieceUpload                   401   403   403   403   403   403   403   403   yes   403   401   401   403
      cancelPieceUpload                   401   403   403   403   403   403   403   403   yes   403   401   401   403
      importQuestions                     401   403   403   403   403   403   403   403   yes   403   401   401   403
      exportQuestions                     401   403   403   403   403   403   403   403   yes   403   401   401   403
      readQuestionStatistics              401   403   403   403   403   403   403   403   yes   403   401   401   403
      readEvaluationResults               401   403   403   403   403   403   403   403   yes   403   401   401   403
      removePieceFile                     401   403   403   403   403   403   403   403   yes   403   401   401   403
      discardDraft                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      publishPiece                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      listExtraTime                       401   403   403   403   403   403   403   403   yes   403   401   401   403
      setExtraTime                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      listMarking                         401   403   403   403   403   403   403   403   yes   403   401   401   403
      readMarking                         401   403   403   403   403   403   403   403   yes   403   401   401   403
      markAttempt                         401   403   403   403   403   403   403   403   yes   403   401   401   403
      withdrawPiece                       401   403   403   403   403   403   403   403   yes   403   401   401   403
      listPieceVersions                   401   403   403   403   403   403   403   403   yes   403   401   401   403
      comparePiece                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      restorePieceVersion                 401   403   403   403   403   403   403   403   yes   403   401   401   403
      noteWriter                          401   403   403   403   403   403   403   403   yes   403   401   401   403
      previewPiece                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      deletePiece                         401   403   403   403   403   403   403   403   yes   403   401   401   403
      deletePiece in a course             401   403   403   403   403   403   403   403   yes   403   401   401   403
      orderJourneys                       401   403   403   403   403   403   403   403   yes   403   401   401   403
      listCommunityOwners                 401   403   403   403   403   403   403   403   yes   403   401   401   403
      nameCommunityOwner                  401   403   403   403   403   403   403   403   yes   403   401   401   403
      removeCommunityOwner                401   403   403   403   403   403   403   403   yes   403   401   401   403
      requestWholeExport                  401   403   403   403   403   403   403   403   yes   403   401   401   403
      listWholeExports                    401   403   403   403   403   403   403   403   yes   403   401   401   403
      downloadWholeExport own             401   403   403   403   403   403   403   403   yes   403   401   401   403
      downloadWholeExport other           401   403   403   403   403   403   403   403   404   403   401   401   403
      exportContent                       401   403   403   403   403   403   403   403   yes   403   401   401   403
      checkContentZip                     401   403   403   403   403   403   403   403   yes   403   401   401   403
      listContentImports                  401   403   403   403   403   403   403   403   yes   403   401   401   403
      readContentImport                   401   403   403   403   403   403   403   403   yes   403   401   401   403
      beginContentImport                  401   403   403   403   403   403   403   403   yes   403   401   401   403
      findPeople                          401   403   403   403   403   403   403   403   yes   403   401   401   403
      readPerson                          401   403   403   403   403   403   403   403   yes   403   401   401   403
      explainApproval                     401   403   403   403   403   403   403   403   yes   403   401   401   403
      readTranscript                      401   403   403   403   403   403   403   403   yes   403   401   401   403
      downloadTranscript                  401   403   403   403   403   403   403   403   yes   403   401   401   403
      listPayments                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      listPersonSessions                  401   403   403   403   403   403   403   403   yes   403   401   401   403
      endPersonSessions                   401   403   403   403   403   403   403   403   yes   403   401   401   403
      endPersonSession                    401   403   403   403   403   403   403   403   yes   403   401   401   403
      resetSecondFactor other             401   403   403   403   403   403   403   403   yes   403   401   401   403
      resetSecondFactor own               401   403   403   403   403   403   403   403   403   403   401   401   403
      checkContent                        401   403   403   403   403   403   403   403   yes   403   401   401   403
      listContentFindings                 401   403   403   403   403   403   403   403   yes   403   401   401   403
    `,
  },
  {
    title: 'services and the content platform',
    part: 'office',
    rows: `
                                          anon  inact nonps publ  reduc membr moder owner admin servc webhk expir narrw
      createAutoApproval                  401   403   403   403   403   403   403   403   yes   yes   401   401   403
      readAutoApproval                    401   403   403   403   403   403   403   403   yes   yes   401   401   403
      listAutoApprovals                   401   403   403   403   403   403   403   403   yes   yes   401   401   403
      updateAutoApproval                  401   403   403   403   403   403   403   403   yes   yes   401   401   403
      deleteAutoApproval                  401   403   403   403   403   403   403   403   yes   yes   401   401   403
      reviewAutoApprovals                 401   403   403   403   403   403   403   403   yes   yes   401   401   403
      checkAutoApproval                   401   403   403   403   403   403   403   403   yes   yes   401   401   403
      testAutoApprovals                   401   403   403   403   403   403   403   403   yes   yes   401   401   403
      readRegistration                    401   403   403   403   403   403   403   403   yes   yes   401   401   403
      writeRegistration other             401   403   403   403   403   403   403   403   yes   yes   401   401   403
      writeRegistration to administrator  401   403   403   403   403   403   403   403   yes   403   401   401   403
      writeRegistration of administrator  401   403   403   403   403   403   403   403   yes   403   401   401   403
      writeRegistration own               401   403   403   403   403   403   403   403   403   yes   401   401   403
      createUserRecord                    401   403   403   403   403   403   403   403   yes   yes   401   401   403
      createUserRecord to administrator   401   403   403   403   403   403   403   403   yes   403   401   401   403
      listUserRecords                     401   403   403   403   403   403   403   403   yes   yes   401   401   403
      setBadges other                     401   403   403   403   403   403   403   403   yes   yes   401   401   403
      setBadges own                       401   403   403   403   403   403   403   403   403   yes   401   401   403
      createUserCommunity                 401   403   403   403   403   403   403   403   yes   yes   401   401   403
      readUserCommunity                   401   403   403   403   403   403   403   403   yes   yes   401   401   403
      listUserCommunities                 401   403   403   403   403   403   403   403   yes   yes   401   401   403
      updateUserCommunity                 401   403   403   403   403   403   403   403   yes   yes   401   401   403
      createBulkEnrolment                 401   403   403   403   403   403   403   403   yes   yes   401   401   403
      readBulkEnrolment                   401   403   403   403   403   403   403   403   yes   yes   401   401   403
      listBulkEnrolments                  401   403   403   403   403   403   403   403   yes   yes   401   401   403
      updateBulkEnrolment                 401   403   403   403   403   403   403   403   yes   yes   401   401   403
      enrolPerson                         401   403   403   403   403   403   403   403   yes   yes   401   401   403
      enrolMany                           401   403   403   403   403   403   403   403   yes   yes   401   401   403
      changeEnrolments                    401   403   403   403   403   403   403   403   yes   yes   401   401   403
      withdrawPerson                      401   403   403   403   403   403   403   403   yes   yes   401   401   403
      referMany                           401   403   403   403   403   403   403   403   yes   yes   401   401   403
      indexEntry                          401   401   401   401   401   401   401   401   401   401   yes   401   401
      reindexEntry                        401   401   401   401   401   401   401   401   401   401   yes   401   401
    `,
  },
  {
    title: 'an open, visible community',
    part: 'communities',
    community: 'open',
    rows: `
                                          anon  inact nonps publ  reduc membr moder owner admin servc webhk expir narrw
      listCommunities                     yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      readCommunity                       yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      findMovedPage of a community        yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      readCommunitySettings               yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      listActivities                      yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      listSharedDiscussions               401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readActivity                        yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      explainActivityRank                 yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      createActivity                      401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      uploadPostPicture                   401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      updateActivity own                  401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      updateActivity other                401   403   403   403   403   403   403   403   403   403   401   401   403
      deleteActivity own                  401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      deleteActivity other                401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      deleteActivity of an owner          401   403   403   403   403   403   403   yes   yes   403   401   401   403
      createActivityReaction like         401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      createActivityReaction reply        401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      createActivityReaction pin          401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      createActivityReaction poll-vote    401   403   403   403   403   403   403   403   403   403   401   401   403
      createActivityReaction poll-option  401   403   403   403   403   403   403   403   403   403   401   401   403
      listActivityReactions               401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      createChildReaction like            401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      createChildReaction reply           401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      createChildReaction poll-vote       401   403   403   403   403   403   403   403   403   403   401   401   403
      createChildReaction poll-option     401   403   403   403   403   403   403   403   403   403   401   401   403
      listChildReactions                  401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      locateReaction                      401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      updateReaction own                  401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      updateReaction other                401   403   403   403   403   403   403   403   403   403   401   401   403
      deleteReaction own like             401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      deleteReaction own reply            401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      deleteReaction other                401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      deleteReaction of an owner          401   403   403   403   403   403   403   yes   yes   403   401   401   403
      listMembers                         401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      listMembers pending                 401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      joinCommunity                       401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readCommunityFollow                 401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      setCommunityFollow                  401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readThreadFollow                    401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      setThreadFollow                     401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      leaveCommunity                      401   403   404   404   yes   yes   yes   yes   404   403   401   401   yes
      updateMember approve                401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      updateMember to reduced             401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      updateMember to moderator           401   403   403   403   403   403   403   yes   yes   403   401   401   403
      updateCommunitySettings             401   403   403   403   403   403   403   yes   yes   403   401   401   403
      updateMember to owner               401   403   403   403   403   403   403   yes   yes   403   401   401   403
      updateMember moderator              401   403   403   403   403   403   403   yes   yes   403   401   401   403
      updateMember own                    401   403   403   403   403   403   403   409   404   403   401   401   403
      removeMember pending                401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      removeMember other                  401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      removeMember moderator              401   403   403   403   403   403   403   yes   yes   403   401   401   403
      removeMember owner                  401   403   403   403   403   403   403   yes   yes   403   401   401   403
      reportContent post                  401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      reportContent reply                 401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      reportContent own                   401   403   403   403   403   403   403   403   403   403   401   401   403
      listReports                         401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      decideReports to keep               401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      decideReports to remove             401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      decideReports of an owner           401   403   403   403   403   403   403   yes   yes   403   401   401   403
      decideReports own                   401   403   403   403   403   403   403   403   403   403   401   401   403
      claimCase                           401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      listAppeals                         401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      listModerationLog                   401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      readDecision own                    401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readDecision other                  401   403   404   404   404   404   yes   yes   yes   403   401   401   404
      appealDecision own                  401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      appealDecision other                401   403   404   404   404   404   403   403   403   403   401   401   404
      decideAppeal own                    401   403   403   403   403   403   403   403   403   403   401   401   403
      decideAppeal other                  401   403   404   404   404   404   yes   yes   yes   403   401   401   404
      decideAppeal of an owner            401   403   404   404   404   404   403   yes   yes   403   401   401   404
      createCommunityPoll                 401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      removeCommunityPoll own             401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      removeCommunityPoll other           401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      removeCommunityPoll of an owner     401   403   403   403   403   403   403   yes   yes   403   401   401   403
      readPoll                            401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      removePoll own in a community       401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      removePoll other in a community     401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      castVote                            401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      retractVote own                     401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      retractVote other                   401   403   404   404   404   404   404   404   404   403   401   401   404
      shareArticle                        401   403   207   207   207   yes   yes   yes   yes   403   401   401   207
      translatePayload post               401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readPayloadTranslation post         401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      translatePayload reply              401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      readPayloadTranslation reply        401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
    `,
  },
  {
    title: 'a closed, visible community',
    part: 'communities',
    community: 'closed',
    rows: `
                                          anon  inact nonps publ  reduc membr moder owner admin servc webhk expir narrw
      listCommunities                     yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      readCommunity                       yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      findMovedPage of a community        yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      readCommunitySettings               yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      listActivities                      401   404   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      listSharedDiscussions               401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      readActivity                        401   404   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      explainActivityRank                 401   404   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      createActivity                      401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      uploadPostPicture                   401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      updateActivity own                  401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      updateActivity other                401   403   403   403   403   403   403   403   403   403   401   401   403
      deleteActivity own                  401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      deleteActivity other                401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      deleteActivity of an owner          401   403   403   403   403   403   403   yes   yes   403   401   401   403
      createActivityReaction like         401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      createActivityReaction reply        401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      createActivityReaction pin          401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      createActivityReaction poll-vote    401   403   403   403   403   403   403   403   403   403   401   401   403
      createActivityReaction poll-option  401   403   403   403   403   403   403   403   403   403   401   401   403
      listActivityReactions               401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      createChildReaction like            401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      createChildReaction reply           401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      createChildReaction poll-vote       401   403   403   403   403   403   403   403   403   403   401   401   403
      createChildReaction poll-option     401   403   403   403   403   403   403   403   403   403   401   401   403
      listChildReactions                  401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      locateReaction                      401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      updateReaction own                  401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      updateReaction other                401   403   403   403   403   403   403   403   403   403   401   401   403
      deleteReaction own like             401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      deleteReaction own reply            401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      deleteReaction other                401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      deleteReaction of an owner          401   403   403   403   403   403   403   yes   yes   403   401   401   403
      listMembers                         401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      listMembers pending                 401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      joinCommunity                       401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readCommunityFollow                 401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      setCommunityFollow                  401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      readThreadFollow                    401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      setThreadFollow                     401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      leaveCommunity                      401   403   404   404   yes   yes   yes   yes   404   403   401   401   yes
      updateMember approve                401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      updateMember to reduced             401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      updateMember to moderator           401   403   403   403   403   403   403   yes   yes   403   401   401   403
      updateCommunitySettings             401   403   403   403   403   403   403   yes   yes   403   401   401   403
      updateMember to owner               401   403   403   403   403   403   403   yes   yes   403   401   401   403
      updateMember moderator              401   403   403   403   403   403   403   yes   yes   403   401   401   403
      updateMember own                    401   403   403   403   403   403   403   409   404   403   401   401   403
      removeMember pending                401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      removeMember other                  401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      removeMember moderator              401   403   403   403   403   403   403   yes   yes   403   401   401   403
      removeMember owner                  401   403   403   403   403   403   403   yes   yes   403   401   401   403
      reportContent post                  401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      reportContent reply                 401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      reportContent own                   401   403   403   403   403   403   403   403   403   403   401   401   403
      listReports                         401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      decideReports to keep               401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      decideReports to remove             401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      decideReports of an owner           401   403   403   403   403   403   403   yes   yes   403   401   401   403
      decideReports own                   401   403   403   403   403   403   403   403   403   403   401   401   403
      claimCase                           401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      listAppeals                         401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      listModerationLog                   401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      readDecision own                    401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readDecision other                  401   403   404   404   404   404   yes   yes   yes   403   401   401   404
      appealDecision own                  401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      appealDecision other                401   403   404   404   404   404   403   403   403   403   401   401   404
      decideAppeal own                    401   403   403   403   403   403   403   403   403   403   401   401   403
      decideAppeal other                  401   403   404   404   404   404   yes   yes   yes   403   401   401   404
      decideAppeal of an owner            401   403   404   404   404   404   403   yes   yes   403   401   401   404
      createCommunityPoll                 401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      removeCommunityPoll own             401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      removeCommunityPoll other           401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      removeCommunityPoll of an owner     401   403   403   403   403   403   403   yes   yes   403   401   401   403
      readPoll                            401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      removePoll own in a community       401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      removePoll other in a community     401   403   403   403   403   403   yes   yes   yes   403   401   401   403
      castVote                            401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      retractVote own                     401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      retractVote other                   401   403   404   404   404   404   404   404   404   403   401   401   404
      shareArticle                        401   403   207   207   207   yes   yes   yes   yes   403   401   401   207
      translatePayload post               401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      readPayloadTranslation post         401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      translatePayload reply              401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
      readPayloadTranslation reply        401   403   403   403   yes   yes   yes   yes   yes   403   401   401   yes
    `,
  },
  {
    title: 'a closed, hidden community',
    part: 'communities',
    community: 'hidden',
    rows: `
                                          anon  inact nonps publ  reduc membr moder owner admin servc webhk expir narrw
      listCommunities                     yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      readCommunity                       404   404   404   404   yes   yes   yes   yes   yes   404   404   404   yes
      findMovedPage of a community        404   404   404   404   yes   yes   yes   yes   yes   404   404   404   yes
      readCommunitySettings               404   404   404   404   yes   yes   yes   yes   yes   404   404   404   yes
      listActivities                      404   404   404   404   yes   yes   yes   yes   yes   404   404   404   yes
      listSharedDiscussions               401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      readActivity                        404   404   404   404   yes   yes   yes   yes   yes   404   404   404   yes
      explainActivityRank                 404   404   404   404   yes   yes   yes   yes   yes   404   404   404   yes
      createActivity                      401   403   404   404   403   yes   yes   yes   yes   403   401   401   403
      uploadPostPicture                   401   403   404   404   403   yes   yes   yes   yes   403   401   401   403
      updateActivity own                  401   403   404   404   403   yes   yes   yes   yes   403   401   401   403
      updateActivity other                401   403   404   404   403   403   403   403   403   403   401   401   403
      deleteActivity own                  401   403   404   404   403   yes   yes   yes   yes   403   401   401   403
      deleteActivity other                401   403   404   404   403   403   yes   yes   yes   403   401   401   403
      deleteActivity of an owner          401   403   404   404   403   403   403   yes   yes   403   401   401   403
      createActivityReaction like         401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      createActivityReaction reply        401   403   404   404   403   yes   yes   yes   yes   403   401   401   403
      createActivityReaction pin          401   403   404   404   403   403   yes   yes   yes   403   401   401   403
      createActivityReaction poll-vote    401   403   404   404   403   403   403   403   403   403   401   401   403
      createActivityReaction poll-option  401   403   404   404   403   403   403   403   403   403   401   401   403
      listActivityReactions               401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      createChildReaction like            401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      createChildReaction reply           401   403   404   404   403   yes   yes   yes   yes   403   401   401   403
      createChildReaction poll-vote       401   403   404   404   403   403   403   403   403   403   401   401   403
      createChildReaction poll-option     401   403   404   404   403   403   403   403   403   403   401   401   403
      listChildReactions                  401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      locateReaction                      401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      updateReaction own                  401   403   404   404   403   yes   yes   yes   yes   403   401   401   403
      updateReaction other                401   403   404   404   403   403   403   403   403   403   401   401   403
      deleteReaction own like             401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      deleteReaction own reply            401   403   404   404   403   yes   yes   yes   yes   403   401   401   403
      deleteReaction other                401   403   404   404   403   403   yes   yes   yes   403   401   401   403
      deleteReaction of an owner          401   403   404   404   403   403   403   yes   yes   403   401   401   403
      listMembers                         401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      listMembers pending                 401   403   404   404   403   403   yes   yes   yes   403   401   401   403
      joinCommunity                       401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      readCommunityFollow                 401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      setCommunityFollow                  401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      readThreadFollow                    401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      setThreadFollow                     401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      leaveCommunity                      401   403   404   404   yes   yes   yes   yes   404   403   401   401   yes
      updateMember approve                401   403   404   404   403   403   yes   yes   yes   403   401   401   403
      updateMember to reduced             401   403   404   404   403   403   yes   yes   yes   403   401   401   403
      updateMember to moderator           401   403   404   404   403   403   403   yes   yes   403   401   401   403
      updateCommunitySettings             401   403   404   404   403   403   403   yes   yes   403   401   401   403
      updateMember to owner               401   403   404   404   403   403   403   yes   yes   403   401   401   403
      updateMember moderator              401   403   404   404   403   403   403   yes   yes   403   401   401   403
      updateMember own                    401   403   404   404   403   403   403   409   404   403   401   401   403
      removeMember pending                401   403   404   404   403   403   yes   yes   yes   403   401   401   403
      removeMember other                  401   403   404   404   403   403   yes   yes   yes   403   401   401   403
      removeMember moderator              401   403   404   404   403   403   403   yes   yes   403   401   401   403
      removeMember owner                  401   403   404   404   403   403   403   yes   yes   403   401   401   403
      reportContent post                  401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      reportContent reply                 401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      reportContent own                   401   403   404   404   403   403   403   403   403   403   401   401   403
      listReports                         401   403   404   404   403   403   yes   yes   yes   403   401   401   403
      decideReports to keep               401   403   404   404   403   403   yes   yes   yes   403   401   401   403
      decideReports to remove             401   403   404   404   403   403   yes   yes   yes   403   401   401   403
      decideReports of an owner           401   403   404   404   403   403   403   yes   yes   403   401   401   403
      decideReports own                   401   403   404   404   403   403   403   403   403   403   401   401   403
      claimCase                           401   403   404   404   403   403   yes   yes   yes   403   401   401   403
      listAppeals                         401   403   404   404   403   403   yes   yes   yes   403   401   401   403
      listModerationLog                   401   403   404   404   403   403   yes   yes   yes   403   401   401   403
      readDecision own                    401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      readDecision other                  401   403   404   404   404   404   yes   yes   yes   403   401   401   404
      appealDecision own                  401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      appealDecision other                401   403   404   404   404   404   403   403   403   403   401   401   404
      decideAppeal own                    401   403   403   403   403   403   403   403   403   403   401   401   403
      decideAppeal other                  401   403   404   404   404   404   yes   yes   yes   403   401   401   404
      decideAppeal of an owner            401   403   404   404   404   404   403   yes   yes   403   401   401   404
      createCommunityPoll                 401   403   404   404   403   yes   yes   yes   yes   403   401   401   403
      removeCommunityPoll own             401   403   404   404   403   yes   yes   yes   yes   403   401   401   403
      removeCommunityPoll other           401   403   404   404   403   403   yes   yes   yes   403   401   401   403
      removeCommunityPoll of an owner     401   403   404   404   403   403   403   yes   yes   403   401   401   403
      readPoll                            401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      removePoll own in a community       401   403   404   404   403   yes   yes   yes   yes   403   401   401   403
      removePoll other in a community     401   403   404   404   403   403   yes   yes   yes   403   401   401   403
      castVote                            401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      retractVote own                     401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      retractVote other                   401   403   404   404   404   404   404   404   404   403   401   401   404
      shareArticle                        401   403   207   207   207   yes   yes   yes   yes   403   401   401   207
      translatePayload post               401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      readPayloadTranslation post         401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      translatePayload reply              401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
      readPayloadTranslation reply        401   403   404   404   yes   yes   yes   yes   yes   403   401   401   yes
    `,
  },
  {
    title: 'an open course',
    part: 'courses',
    course: 'open',
    rows: `
                                          anon  inact nonps publ  reduc membr moder owner admin servc webhk expir narrw
      readCourse                          yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      findMovedPage of a course           yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      readLesson preview                  yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      checkAnswer preview                 yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      readLesson                          401   404   403   403   403   yes   yes   yes   yes   403   401   401   403
      checkAnswer                         401   404   403   403   403   yes   yes   yes   yes   403   401   401   403
      buyJourney                          401   403   409   409   409   409   409   409   409   403   401   401   409
      enrolMyself                         401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   403
      giveUserProduct own                 401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   403
      giveUserProduct own permanent       401   403   403   403   403   403   403   403   yes   403   401   401   403
      giveUserProduct other               401   403   403   403   403   403   403   403   yes   403   401   401   403
      listMyJourneysOfCourse              401   403   yes   yes   yes   yes   yes   yes   yes   403   401   401   yes
      startAttempt                        401   403   403   403   403   yes   yes   yes   403   403   401   401   403
      readAttempt                         401   403   403   403   403   yes   yes   yes   403   403   401   401   403
      saveAnswer                          401   403   403   403   403   yes   yes   yes   403   403   401   401   403
      submitAttempt                       401   403   403   403   403   yes   yes   yes   403   403   401   401   403
      completeLesson                      401   403   403   403   403   yes   yes   yes   403   403   401   401   403
      recordMyLesson                      401   403   403   403   403   yes   yes   yes   403   403   401   401   403
      recordLessonCompletion              401   403   403   403   403   yes   yes   yes   403   403   401   401   403
      seeMyChanges                        401   403   403   403   403   yes   yes   yes   403   403   401   401   403
      issueMyCertificate                  401   403   409   409   403   yes   yes   yes   409   403   401   401   403
      renewMyCertificate                  401   403   403   403   403   yes   yes   yes   403   403   401   401   403
      readMyEvaluation                    401   403   409   409   403   yes   yes   yes   409   403   401   401   403
      answerEvaluation                    401   403   409   409   403   yes   yes   yes   409   403   401   401   403
      skipEvaluation                      401   403   409   409   403   yes   yes   yes   409   403   401   401   403
      createMyCertificate                 401   403   409   409   403   yes   yes   yes   409   403   401   401   403
      askLesson                           401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      listLessonActivities                401   403   403   403   yes   yes   yes   yes   yes   403   401   401   403
      createLessonActivity                401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      uploadLessonPicture                 401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      readLessonActivity                  401   403   403   403   yes   yes   yes   yes   yes   403   401   401   403
      listLessonShares                    401   403   403   403   yes   yes   yes   yes   yes   403   401   401   403
      updateLessonActivity own            401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      shareLessonActivity own             401   403   403   403   403   207   207   207   207   403   401   401   403
      updateLessonActivity other          401   403   403   403   403   403   403   403   403   403   401   401   403
      shareLessonActivity other           401   403   403   403   403   403   403   403   403   403   401   401   403
      deleteLessonActivity own            401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      deleteLessonActivity other          401   403   403   403   403   403   403   403   yes   403   401   401   403
      createLessonReaction like           401   403   403   403   yes   yes   yes   yes   yes   403   401   401   403
      createLessonReaction reply          401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      createLessonReaction pin            401   403   403   403   403   403   403   403   yes   403   401   401   403
      createLessonReaction poll-vote      401   403   403   403   403   403   403   403   403   403   401   401   403
      listLessonReactions                 401   403   403   403   yes   yes   yes   yes   yes   403   401   401   403
      createLessonChildReaction like      401   403   403   403   yes   yes   yes   yes   yes   403   401   401   403
      createLessonChildReaction reply     401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      listLessonChildReactions            401   403   403   403   yes   yes   yes   yes   yes   403   401   401   403
      updateLessonReaction own            401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      updateLessonReaction other          401   403   403   403   403   403   403   403   403   403   401   401   403
      deleteLessonReaction own like       401   403   403   403   yes   yes   yes   yes   yes   403   401   401   403
      deleteLessonReaction own reply      401   403   403   403   403   yes   yes   yes   yes   403   401   401   403
      deleteLessonReaction other          401   403   403   403   403   403   403   403   yes   403   401   401   403
      translatePayload discussion         401   403   403   403   yes   yes   yes   yes   yes   403   401   401   403
      readPayloadTranslation discussion   401   403   403   403   yes   yes   yes   yes   yes   403   401   401   403
      reportContent discussion            401   403   404   404   yes   yes   yes   yes   yes   403   401   401   404
      reportContent own discussion        401   403   404   404   403   403   403   403   403   403   401   401   404
      listReports of a course             401   403   403   403   403   403   403   403   yes   403   401   401   403
      decideReports of a discussion       401   403   404   404   403   403   403   403   yes   403   401   401   404
      claimCase of a discussion           401   403   404   404   403   403   403   403   yes   403   401   401   404
      listAppeals of a course             401   403   403   403   403   403   403   403   yes   403   401   401   403
    `,
  },
  {
    title: 'a public course whose journey is closed',
    part: 'courses',
    course: 'closed',
    rows: `
                                          anon  inact nonps publ  reduc membr moder owner admin servc webhk expir narrw
      readCourse                          yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      findMovedPage of a course           yes   404   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes   yes
      buyJourney                          401   403   409   409   409   409   409   409   409   403   401   401   409
      enrolMyself                         401   403   403   403   yes   yes   yes   yes   yes   403   401   401   403
      giveUserProduct own                 401   403   403   403   yes   yes   yes   yes   yes   403   401   401   403
    `,
  },
  {
    title: 'a private course',
    part: 'courses',
    course: 'hidden',
    rows: `
                                          anon  inact nonps publ  reduc membr moder owner admin servc webhk expir narrw
      readCourse                          404   404   404   404   yes   yes   yes   yes   yes   404   404   404   404
      findMovedPage of a course           404   404   404   404   yes   yes   yes   yes   yes   404   404   404   404
      readLesson preview                  404   404   404   404   403   yes   yes   yes   yes   404   404   404   404
      checkAnswer preview                 404   404   404   404   403   yes   yes   yes   yes   404   404   404   404
      readLesson                          404   404   404   404   403   yes   yes   yes   yes   404   404   404   404
      checkAnswer                         404   404   404   404   403   yes   yes   yes   yes   404   404   404   404
      buyJourney                          401   403   404   404   409   409   409   409   409   403   401   401   404
      enrolMyself                         401   403   404   404   yes   yes   yes   yes   yes   403   401   401   404
      giveUserProduct own                 401   403   404   404   yes   yes   yes   yes   yes   403   401   401   404
      giveUserProduct own permanent       401   403   403   403   403   403   403   403   yes   403   401   401   403
      giveUserProduct other               401   403   403   403   403   403   403   403   yes   403   401   401   403
      listMyJourneysOfCourse              401   403   404   404   yes   yes   yes   yes   yes   403   401   401   404
      startAttempt                        401   403   404   404   403   yes   yes   yes   403   403   401   401   404
      readAttempt                         401   403   404   404   403   yes   yes   yes   403   403   401   401   404
      saveAnswer                          401   403   404   404   403   yes   yes   yes   403   403   401   401   404
      submitAttempt                       401   403   404   404   403   yes   yes   yes   403   403   401   401   404
      completeLesson                      401   403   404   404   403   yes   yes   yes   403   403   401   401   404
      recordMyLesson                      401   403   404   404   403   yes   yes   yes   403   403   401   401   404
      recordLessonCompletion              401   403   404   404   403   yes   yes   yes   403   403   401   401   404
      seeMyChanges                        401   403   404   404   403   yes   yes   yes   403   403   401   401   404
      issueMyCertificate                  401   403   404   404   403   yes   yes   yes   409   403   401   401   404
      renewMyCertificate                  401   403   404   404   403   yes   yes   yes   403   403   401   401   404
      readMyEvaluation                    401   403   404   404   403   yes   yes   yes   409   403   401   401   404
      answerEvaluation                    401   403   404   404   403   yes   yes   yes   409   403   401   401   404
      skipEvaluation                      401   403   404   404   403   yes   yes   yes   409   403   401   401   404
      createMyCertificate                 401   403   404   404   403   yes   yes   yes   409   403   401   401   404
      askLesson                           401   403   404   404   403   yes   yes   yes   yes   403   401   401   404
      listLessonActivities                401   403   404   404   yes   yes   yes   yes   yes   403   401   401   404
      createLessonActivity                401   403   404   404   403   yes   yes   yes   yes   403   401   401   404
      uploadLessonPicture                 401   403   404   404   403   yes   yes   yes   yes   403   401   401   404
      readLessonActivity                  401   403   404   404   yes   yes   yes   yes   yes   403   401   401   404
      listLessonShares                    401   403   404   404   yes   yes   yes   yes   yes   403   401   401   404
      updateLessonActivity own            401   403   404   404   403   yes   yes   yes   yes   403   401   401   404
      shareLessonActivity own             401   403   404   404   403   207   207   207   207   403   401   401   404
      updateLessonActivity other          401   403   404   404   403   403   403   403   403   403   401   401   404
      shareLessonActivity other           401   403   404   404   403   403   403   403   403   403   401   401   404
      deleteLessonActivity own            401   403   404   404   403   yes   yes   yes   yes   403   401   401   404
      deleteLessonActivity other          401   403   404   404   403   403   403   403   yes   403   401   401   404
      createLessonReaction like           401   403   404   404   yes   yes   yes   yes   yes   403   401   401   404
      createLessonReaction reply          401   403   404   404   403   yes   yes   yes   yes   403   401   401   404
      createLessonReaction pin            401   403   404   404   403   403   403   403   yes   403   401   401   404
      createLessonReaction poll-vote      401   403   404   404   403   403   403   403   403   403   401   401   404
      listLessonReactions                 401   403   404   404   yes   yes   yes   yes   yes   403   401   401   404
      createLessonChildReaction like      401   403   404   404   yes   yes   yes   yes   yes   403   401   401   404
      createLessonChildReaction reply     401   403   404   404   403   yes   yes   yes   yes   403   401   401   404
      listLessonChildReactions            401   403   404   404   yes   yes   yes   yes   yes   403   401   401   404
      updateLessonReaction own            401   403   404   404   403   yes   yes   yes   yes   403   401   401   404
      updateLessonReaction other          401   403   404   404   403   403   403   403   403   403   401   401   404
      deleteLessonReaction own like       401   403   404   404   yes   yes   yes   yes   yes   403   401   401   404
      deleteLessonReaction own reply      401   403   404   404   403   yes   yes   yes   yes   403   401   401   404
      deleteLessonReaction other          401   403   404   404   403   403   403   403   yes   403   401   401   404
      translatePayload discussion         401   403   404   404   yes   yes   yes   yes   yes   403   401   401   404
      readPayloadTranslation discussion   401   403   404   404   yes   yes   yes   yes   yes   403   401   401   404
      reportContent discussion            401   403   404   404   yes   yes   yes   yes   yes   403   401   401   404
      reportContent own discussion        401   403   404   404   403   403   403   403   403   403   401   401   404
      listReports of a course             401   403   404   404   403   403   403   403   yes   403   401   401   404
      decideReports of a discussion       401   403   404   404   403   403   403   403   yes   403   401   401   404
      claimCase of a discussion           401   403   404   404   403   403   403   403   yes   403   401   401   404
      listAppeals of a course             401   403   404   404   403   403   403   403   yes   403   401   401   404
    `,
  },
];

/** A cell: `yes`, or the status of the refusal; `no` where the status does not matter. */
export type Expected = 'yes' | 'no' | number;
export type Row = { name: string; cells: Record<SubjectName, Expected> };

/** Parses the rows of a table below its header line. */
export function readRows({ title, rows }: Table): Row[] {
  const [, ...lines] = rows.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const words = line.trim().split(/\s+/);
    const name = words.slice(0, -SUBJECTS.length).join(' ');
    const cells = words.slice(-SUBJECTS.length);
    const wrong = cells.find((cell) => !/^(yes|no|[234]\d\d)$/.test(cell));
    if (name === '' || wrong !== undefined)
      throw new Error(`"${title}" has a row that is not a name and ${SUBJECTS.length} squares: ${line.trim()}`);
    const expected = cells.map((cell) => (cell === 'yes' || cell === 'no' ? cell : Number(cell)));
    return { name, cells: Object.fromEntries(SUBJECTS.map((subject, at) => [subject, expected[at]])) as Row['cells'] }; // one for each subject
  });
}
