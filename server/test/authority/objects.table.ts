import { VARIANTS, type Variant } from './objects.ts';
import { type SubjectName, SUBJECTS } from './subjects.ts';

/**
 * The answers to a request when one identifier in it refers to something else. A row names a request of `*.requests.ts`
 * and, in braces, the identifier: a path parameter, or `body.…` or `query.…`. Then follow the kind of object
 * (`objects.ts`), the subject, and the answer for each variant; `-` where there is none.
 *
 * - `own`, `othr`: belongs to the caller; to another person;
 * - `else`: exists, but under another parent or of another kind than the request says;
 * - `hide`: exists, but the caller may not know it;
 * - `gone`: existed, but was deleted, withdrawn or erased;
 * - `rand`: never existed, but is well formed; `malf`: is malformed.
 *
 * `hide` always answers byte for byte like `rand`, as does every other 404.
 */
export const OBJECT_TABLES: readonly { title: string; rows: string }[] = [
  {
    title: 'communities',
    rows: `
                                                   kind            asked by           own  othr else hide gone rand malf
      readCommunity {slug}                         community       owner              -    -    -    404  404  404  400
      listActivities {slug}                        community       owner              -    -    -    404  404  404  400
      listSharedDiscussions {slug}                 community       owner              -    -    -    404  404  404  400
      createActivity {slug}                        community       owner              -    -    -    404  404  404  400
      uploadPostPicture {slug}                     community       owner              -    -    -    404  404  404  400
      readActivity {slug}                          community       owner              -    -    -    404  404  404  400
      explainActivityRank {slug}                   community       owner              -    -    -    404  404  404  400
      updateActivity own {slug}                    community       owner              -    -    -    404  404  404  400
      deleteActivity own {slug}                    community       owner              -    -    -    404  404  404  400
      createActivityReaction like {slug}           community       owner              -    -    -    404  404  404  400
      listActivityReactions {slug}                 community       owner              -    -    -    404  404  404  400
      createChildReaction like {slug}              community       owner              -    -    -    404  404  404  400
      listChildReactions {slug}                    community       owner              -    -    -    404  404  404  400
      locateReaction {slug}                        community       owner              -    -    -    404  404  404  400
      updateReaction own {slug}                    community       owner              -    -    -    404  404  404  400
      deleteReaction own reply {slug}              community       owner              -    -    -    404  404  404  400
      listMembers {slug}                           community       owner              -    -    -    404  404  404  400
      joinCommunity {slug}                         community       owner              -    -    -    404  404  404  400
      leaveCommunity {slug}                        community       owner              -    -    -    404  404  404  400
      readCommunityFollow {slug}                   community       owner              -    -    -    404  404  404  400
      setCommunityFollow {slug}                    community       owner              -    -    -    404  404  404  400
      updateMember to reduced {slug}               community       owner              -    -    -    404  404  404  400
      removeMember other {slug}                    community       owner              -    -    -    404  404  404  400
      createCommunityPoll {slug}                   community       owner              -    -    -    404  404  404  400
      removeCommunityPoll own {slug}               community       owner              -    -    -    404  404  404  400
      readCommunity {slug}                         scopedCommunity non-public-servant -    -    -    404  -    404  400
      listActivities {slug}                        scopedCommunity non-public-servant -    -    -    404  -    404  400
      listSharedDiscussions {slug}                 scopedCommunity non-public-servant -    -    -    404  -    404  400
      createActivity {slug}                        scopedCommunity non-public-servant -    -    -    404  -    404  400
      uploadPostPicture {slug}                     scopedCommunity non-public-servant -    -    -    404  -    404  400
      readActivity {slug}                          scopedCommunity non-public-servant -    -    -    404  -    404  400
      explainActivityRank {slug}                   scopedCommunity non-public-servant -    -    -    404  -    404  400
      updateActivity own {slug}                    scopedCommunity non-public-servant -    -    -    404  -    404  400
      deleteActivity own {slug}                    scopedCommunity non-public-servant -    -    -    404  -    404  400
      createActivityReaction like {slug}           scopedCommunity non-public-servant -    -    -    404  -    404  400
      listActivityReactions {slug}                 scopedCommunity non-public-servant -    -    -    404  -    404  400
      createChildReaction like {slug}              scopedCommunity non-public-servant -    -    -    404  -    404  400
      listChildReactions {slug}                    scopedCommunity non-public-servant -    -    -    404  -    404  400
      locateReaction {slug}                        scopedCommunity non-public-servant -    -    -    404  -    404  400
      updateReaction own {slug}                    scopedCommunity non-public-servant -    -    -    404  -    404  400
      deleteReaction own reply {slug}              scopedCommunity non-public-servant -    -    -    404  -    404  400
      listMembers {slug}                           scopedCommunity non-public-servant -    -    -    404  -    404  400
      joinCommunity {slug}                         scopedCommunity non-public-servant -    -    -    404  -    404  400
      leaveCommunity {slug}                        scopedCommunity non-public-servant -    -    -    404  -    404  400
      readCommunityFollow {slug}                   scopedCommunity non-public-servant -    -    -    404  -    404  400
      setCommunityFollow {slug}                    scopedCommunity non-public-servant -    -    -    404  -    404  400
      updateMember to reduced {slug}               scopedCommunity non-public-servant -    -    -    404  -    404  400
      removeMember other {slug}                    scopedCommunity non-public-servant -    -    -    404  -    404  400
      createCommunityPoll {slug}                   scopedCommunity non-public-servant -    -    -    404  -    404  400
      removeCommunityPoll own {slug}               scopedCommunity non-public-servant -    -    -    404  -    404  400
      shareArticle {body.communities.0}            community       owner              -    -    -    207  207  207  400
      reportContent post {body.community}          community       owner              -    -    -    404  404  404  400
      decideReports to keep {body.community}       community       owner              -    -    -    404  404  404  400
      listReports {query.community}                community       owner              -    -    -    404  404  404  400
      readCommunitySettings {slug}                 community       owner              -    -    -    404  404  404  400
      updateCommunitySettings {slug}               community       owner              -    -    -    404  404  404  400
      listAppeals {query.community}                community       owner              -    -    -    404  404  404  400
      listModerationLog {query.community}          community       owner              -    -    -    404  404  404  400
      claimCase {body.community}                   community       owner              -    -    -    404  404  404  400
      createUserCommunity {body.communitySlug}     community       service-key        -    -    -    -    -    400  400
      readActivity {id}                            post            administrator      yes  yes  404  -    404  404  400
      explainActivityRank {id}                     post            administrator      yes  yes  404  -    404  404  400
      readThreadFollow {id}                        post            administrator      yes  yes  yes  -    404  404  400
      setThreadFollow {id}                         post            administrator      yes  yes  yes  -    404  404  400
      updateActivity own {id}                      post            administrator      yes  403  404  -    404  404  400
      deleteActivity own {id}                      post            administrator      yes  yes  404  -    404  404  400
      reportContent post {body.id}                 post            administrator      403  yes  404  -    404  404  400
      reportContent reply {body.id}                reaction        administrator      403  yes  404  -    404  404  400
      decideReports to remove {body.id}            reaction        administrator      403  yes  404  -    404  404  400
      claimCase {body.id}                          post            administrator      403  yes  404  -    404  404  400
      readDecision own {id}                        decision        owner              yes  yes  404  404  -    404  400
      appealDecision own {id}                      decision        owner              yes  403  404  404  -    404  400
      decideAppeal other {id}                      appealed        owner              403  yes  404  404  -    404  400
      createActivityReaction like {id}             post            administrator      yes  yes  404  -    404  404  400
      listActivityReactions {id}                   post            administrator      yes  yes  404  -    404  404  400
      createChildReaction reply {id}               reaction        administrator      yes  yes  404  -    404  404  400
      listChildReactions {id}                      reaction        administrator      yes  yes  404  -    404  404  400
      locateReaction {id}                          reaction        administrator      yes  yes  404  -    404  404  400
      updateReaction own {id}                      reaction        administrator      yes  403  404  -    404  404  400
      deleteReaction own reply {id}                reaction        administrator      yes  yes  404  -    404  404  400
      updateMember to reduced {userId}             member          administrator      -    yes  404  -    404  404  400
      removeMember other {userId}                  member          administrator      -    yes  404  -    404  404  400
      removeCommunityPoll own {id}                 poll            administrator      yes  yes  404  -    404  404  400
      readPoll {id}                                anyPoll         owner              yes  yes  404  404  404  404  400
      removePoll own in a community {id}           anyPoll         owner              yes  yes  404  404  404  404  400
      castVote {id}                                option          owner              -    yes  404  404  404  404  400
      retractVote own {id}                         vote            owner              yes  404  -    404  404  404  400
      translatePayload post {id}                   anyPost         owner              yes  yes  404  404  404  404  400
      readPayloadTranslation post {id}             anyPost         owner              yes  yes  404  404  404  404  400
      translatePayload reply {id}                  anyReaction     owner              yes  yes  404  404  404  404  400
      readPayloadTranslation reply {id}            anyReaction     owner              yes  yes  404  404  404  404  400
    `,
  },
  {
    title: 'courses',
    rows: `
                                                   kind            asked by           own  othr else hide gone rand malf
      listReports of a course {query.course}       courseSlug      member             -    -    -    404  404  404  400
      listAppeals of a course {query.course}       courseSlug      member             -    -    -    404  404  404  400
      readCourse {courseSlug}                      courseSlug      member             -    -    -    404  404  404  400
      readLesson {courseSlug}                      courseSlug      member             -    -    -    404  404  404  400
      checkAnswer {courseSlug}                     courseSlug      member             -    -    -    404  404  404  400
      listMyJourneysOfCourse {courseSlug}          courseSlug      member             -    -    -    404  404  404  400
      startAttempt {courseSlug}                    courseSlug      member             -    -    -    404  404  404  400
      readAttempt {courseSlug}                     courseSlug      member             -    -    -    404  404  404  400
      saveAnswer {courseSlug}                      courseSlug      member             -    -    -    404  404  404  400
      submitAttempt {courseSlug}                   courseSlug      member             -    -    -    404  404  404  400
      completeLesson {courseSlug}                  courseSlug      member             -    -    -    404  404  404  400
      seeMyChanges {courseSlug}                    courseSlug      member             -    -    -    404  404  404  400
      issueMyCertificate {courseSlug}              courseSlug      member             -    -    -    404  404  404  400
      renewMyCertificate {courseSlug}              courseSlug      member             -    -    -    404  404  404  400
      readMyEvaluation {courseSlug}                courseSlug      member             -    -    -    404  404  404  400
      answerEvaluation {courseSlug}                courseSlug      member             -    -    -    404  404  404  400
      skipEvaluation {courseSlug}                  courseSlug      member             -    -    -    404  404  404  400
      buyJourney {courseSlug}                      courseSlug      member             -    -    -    404  404  404  400
      enrolMyself {body.courseSlug}                courseSlug      member             -    -    -    404  404  404  400
      giveUserProduct own {body.courseSlug}        courseSlug      member             -    -    -    404  404  404  400
      recordMyLesson {body.courseSlug}             courseSlug      member             -    -    -    404  404  404  400
      recordLessonCompletion {body.courseSlug}     courseSlug      member             -    -    -    404  404  404  400
      createMyCertificate {body.courseSlug}        courseSlug      member             -    -    -    404  404  404  400
      askLesson {body.courseSlug}                  courseSlug      member             -    -    -    404  404  404  400
      listMyCourses {query.courseSlug}             courseSlug      member             -    -    -    yes  yes  yes  400
      updateUserProduct own {body.courseSlug}      courseSlug      member             -    -    -    404  404  404  400
      referColleague {body.slug}                   courseSlug      member             -    -    -    404  404  404  400
      withdrawPerson {query.courseSlug}            courseSlug      service-key        -    -    -    -    -    404  400
      readLesson {journeySlug}                     journeySlug     member             -    -    404  404  404  404  400
      checkAnswer {journeySlug}                    journeySlug     member             -    -    404  404  404  404  400
      startAttempt {journeySlug}                   journeySlug     member             -    -    404  404  404  404  400
      readAttempt {journeySlug}                    journeySlug     member             -    -    404  404  404  404  400
      saveAnswer {journeySlug}                     journeySlug     member             -    -    404  404  404  404  400
      submitAttempt {journeySlug}                  journeySlug     member             -    -    404  404  404  404  400
      completeLesson {journeySlug}                 journeySlug     member             -    -    404  404  404  404  400
      seeMyChanges {journeySlug}                   journeySlug     member             -    -    404  404  404  404  400
      issueMyCertificate {journeySlug}             journeySlug     member             -    -    404  404  404  404  400
      renewMyCertificate {journeySlug}             journeySlug     member             -    -    404  404  404  404  400
      readMyEvaluation {journeySlug}               journeySlug     member             -    -    404  404  404  404  400
      answerEvaluation {journeySlug}               journeySlug     member             -    -    404  404  404  404  400
      skipEvaluation {journeySlug}                 journeySlug     member             -    -    404  404  404  404  400
      buyJourney {journeySlug}                     journeySlug     member             -    -    404  404  404  404  400
      enrolMyself {body.journeySlug}               journeySlug     member             -    -    404  404  404  404  400
      giveUserProduct own {body.journeySlug}       journeySlug     member             -    -    404  404  404  404  400
      recordMyLesson {body.journeySlug}            journeySlug     member             -    -    404  404  404  404  400
      recordLessonCompletion {body.journeySlug}    journeySlug     member             -    -    404  404  404  404  400
      createMyCertificate {body.journeySlug}       journeySlug     member             -    -    404  404  404  404  400
      askLesson {body.journeySlug}                 journeySlug     member             -    -    404  404  404  404  400
      readLesson {lessonSlug}                      lessonSlug      member             -    -    404  -    404  404  400
      checkAnswer {lessonSlug}                     lessonSlug      member             -    -    404  -    404  404  400
      startAttempt {lessonSlug}                    lessonSlug      member             -    -    404  -    404  404  400
      readAttempt {lessonSlug}                     lessonSlug      member             -    -    404  -    404  404  400
      saveAnswer {lessonSlug}                      lessonSlug      member             -    -    404  -    404  404  400
      submitAttempt {lessonSlug}                   lessonSlug      member             -    -    404  -    404  404  400
      completeLesson {lessonSlug}                  lessonSlug      member             -    -    404  -    404  404  400
      readAttempt {attemptId}                      attempt         member             yes  404  404  -    -    404  400
      saveAnswer {attemptId}                       attempt         member             yes  404  404  -    -    404  400
      saveAnswer {number}                          questionNumber  member             -    -    -    -    -    404  400
      submitAttempt {attemptId}                    attempt         member             yes  404  404  -    -    404  400
      recordMyLesson {body.lessonSlug}             lessonSlug      member             -    -    404  -    404  404  400
      recordLessonCompletion {body.lessonSlug}     lessonSlug      member             -    -    404  -    404  404  400
      askLesson {body.lessonSlug}                  lessonSlug      member             -    -    404  -    404  404  400
      listLessonActivities {courseId}              courseId        member             -    -    -    404  404  404  400
      listLessonShares {courseId}                  courseId        member             -    -    -    404  404  404  400
      listLessonActivities {journeyId}             journeyId       member             -    -    404  404  404  404  400
      listLessonShares {journeyId}                 journeyId       member             -    -    404  404  404  404  400
      listLessonActivities {lessonId}              lessonId        member             -    -    404  -    404  404  400
      listLessonShares {lessonId}                  lessonId        member             -    -    404  -    404  404  400
      createLessonActivity {courseId}              courseId        member             -    -    -    404  404  404  400
      createLessonActivity {journeyId}             journeyId       member             -    -    404  404  404  404  400
      createLessonActivity {lessonId}              lessonId        member             -    -    404  -    404  404  400
      uploadLessonPicture  {courseId}              courseId        member             -    -    -    404  404  404  400
      uploadLessonPicture  {journeyId}             journeyId       member             -    -    404  404  404  404  400
      uploadLessonPicture  {lessonId}              lessonId        member             -    -    404  -    404  404  400
      readLessonActivity {courseId}                courseId        member             -    -    -    404  404  404  400
      readLessonActivity {journeyId}               journeyId       member             -    -    404  404  404  404  400
      readLessonActivity {lessonId}                lessonId        member             -    -    404  -    404  404  400
      updateLessonActivity own {courseId}          courseId        member             -    -    -    404  404  404  400
      shareLessonActivity own {courseId}           courseId        member             -    -    -    404  404  404  400
      updateLessonActivity own {journeyId}         journeyId       member             -    -    404  404  404  404  400
      shareLessonActivity own {journeyId}          journeyId       member             -    -    404  404  404  404  400
      updateLessonActivity own {lessonId}          lessonId        member             -    -    404  -    404  404  400
      shareLessonActivity own {lessonId}           lessonId        member             -    -    404  -    404  404  400
      deleteLessonActivity own {courseId}          courseId        member             -    -    -    404  404  404  400
      deleteLessonActivity own {journeyId}         journeyId       member             -    -    404  404  404  404  400
      deleteLessonActivity own {lessonId}          lessonId        member             -    -    404  -    404  404  400
      createLessonReaction like {courseId}         courseId        member             -    -    -    404  404  404  400
      createLessonReaction like {journeyId}        journeyId       member             -    -    404  404  404  404  400
      createLessonReaction like {lessonId}         lessonId        member             -    -    404  -    404  404  400
      listLessonReactions {courseId}               courseId        member             -    -    -    404  404  404  400
      listLessonReactions {journeyId}              journeyId       member             -    -    404  404  404  404  400
      listLessonReactions {lessonId}               lessonId        member             -    -    404  -    404  404  400
      createLessonChildReaction reply {courseId}   courseId        member             -    -    -    404  404  404  400
      createLessonChildReaction reply {journeyId}  journeyId       member             -    -    404  404  404  404  400
      createLessonChildReaction reply {lessonId}   lessonId        member             -    -    404  -    404  404  400
      listLessonChildReactions {courseId}          courseId        member             -    -    -    404  404  404  400
      listLessonChildReactions {journeyId}         journeyId       member             -    -    404  404  404  404  400
      listLessonChildReactions {lessonId}          lessonId        member             -    -    404  -    404  404  400
      updateLessonReaction own {courseId}          courseId        member             -    -    -    404  404  404  400
      updateLessonReaction own {journeyId}         journeyId       member             -    -    404  404  404  404  400
      updateLessonReaction own {lessonId}          lessonId        member             -    -    404  -    404  404  400
      deleteLessonReaction own reply {courseId}    courseId        member             -    -    -    404  404  404  400
      deleteLessonReaction own reply {journeyId}   journeyId       member             -    -    404  404  404  404  400
      deleteLessonReaction own reply {lessonId}    lessonId        member             -    -    404  -    404  404  400
      readLessonActivity {activityId}              discussion      administrator      yes  yes  404  -    404  404  400
      updateLessonActivity own {activityId}        discussion      administrator      yes  403  404  -    404  404  400
      shareLessonActivity own {activityId}         discussion      administrator      207  403  404  -    404  404  400
      deleteLessonActivity own {activityId}        discussion      administrator      yes  yes  404  -    404  404  400
      reportContent discussion {body.id}           discussion      administrator      403  yes  yes  -    404  404  400
      decideReports of a discussion {body.id}      discussion      administrator      403  yes  yes  -    404  404  400
      claimCase of a discussion {body.id}          discussion      administrator      403  yes  yes  -    404  404  400
      createLessonReaction like {activityId}       discussion      administrator      yes  yes  404  -    404  404  400
      listLessonReactions {activityId}             discussion      administrator      yes  yes  404  -    404  404  400
      createLessonChildReaction reply {reactionId} lessonReply     administrator      yes  yes  404  -    404  404  400
      listLessonChildReactions {reactionId}        lessonReply     administrator      yes  yes  404  -    404  404  400
      updateLessonReaction own {reactionId}        lessonReply     administrator      yes  403  404  -    404  404  400
      deleteLessonReaction own reply {reactionId}  lessonReply     administrator      yes  yes  404  -    404  404  400
      readCourse {courseSlug}                      scopedCourse    non-public-servant -    -    -    404  -    404  400
      readLesson {courseSlug}                      scopedCourse    non-public-servant -    -    -    404  -    404  400
      checkAnswer {courseSlug}                     scopedCourse    non-public-servant -    -    -    404  -    404  400
      listMyJourneysOfCourse {courseSlug}          scopedCourse    non-public-servant -    -    -    404  -    404  400
      startAttempt {courseSlug}                    scopedCourse    non-public-servant -    -    -    404  -    404  400
      readAttempt {courseSlug}                     scopedCourse    non-public-servant -    -    -    404  -    404  400
      saveAnswer {courseSlug}                      scopedCourse    non-public-servant -    -    -    404  -    404  400
      submitAttempt {courseSlug}                   scopedCourse    non-public-servant -    -    -    404  -    404  400
      completeLesson {courseSlug}                  scopedCourse    non-public-servant -    -    -    404  -    404  400
      seeMyChanges {courseSlug}                    scopedCourse    non-public-servant -    -    -    404  -    404  400
      issueMyCertificate {courseSlug}              scopedCourse    non-public-servant -    -    -    404  -    404  400
      renewMyCertificate {courseSlug}              scopedCourse    non-public-servant -    -    -    404  -    404  400
      readMyEvaluation {courseSlug}                scopedCourse    non-public-servant -    -    -    404  -    404  400
      answerEvaluation {courseSlug}                scopedCourse    non-public-servant -    -    -    404  -    404  400
      skipEvaluation {courseSlug}                  scopedCourse    non-public-servant -    -    -    404  -    404  400
      buyJourney {courseSlug}                      scopedCourse    non-public-servant -    -    -    404  -    404  400
      enrolMyself {body.courseSlug}                scopedCourse    non-public-servant -    -    -    404  -    404  400
      giveUserProduct own {body.courseSlug}        scopedCourse    non-public-servant -    -    -    404  -    404  400
      recordMyLesson {body.courseSlug}             scopedCourse    non-public-servant -    -    -    404  -    404  400
      askLesson {body.courseSlug}                  scopedCourse    non-public-servant -    -    -    404  -    404  400
      referColleague {body.slug}                   scopedCourse    non-public-servant -    -    -    404  -    404  400
    `,
  },
  {
    title: 'people',
    rows: `
                                                   kind            asked by           own  othr else hide gone rand malf
      readProfile other {id}                       person          member             yes  yes  -    404  404  404  400
      readUserRecord other {id}                    person          member             yes  yes  -    404  404  404  400
      listCommunitiesOfUser {id}                   person          member             yes  yes  -    404  404  404  400
      listMembershipsOfUser {userId}               person          member             yes  yes  -    404  404  404  400
      listProfileActivities {id}                   person          member             yes  yes  -    404  404  404  400
      updateUser own {id}                          person          member             yes  403  -    404  404  404  400
      updateUserRecord own {id}                    person          member             yes  403  -    404  404  404  400
      eraseUser own {id}                           person          member             yes  403  -    404  404  404  400
      updateUser other {id}                        person          administrator      yes  yes  -    -    404  404  400
      updateUserRecord other {id}                  person          administrator      yes  yes  -    -    404  404  400
      eraseUser other {id}                         person          administrator      yes  yes  -    -    404  404  400
      setBadges other {id}                         person          service-key        -    yes  -    -    404  404  400
      uploadProfileImage own {userId}              person          member             yes  403  -    403  403  403  400
      listConnections own {id}                     person          member             yes  403  -    403  403  403  400
      giveUserProduct own {id}                     person          member             yes  403  -    403  403  403  400
      listUserProducts own {id}                    person          member             yes  403  -    403  403  403  400
      updateUserProduct own {id}                   person          member             yes  403  -    403  403  403  400
      listUserReferrals own {userId}               person          member             yes  403  -    403  403  403  400
      updateUserReferrals own {userId}             person          member             yes  403  -    403  403  403  400
      giveUserProduct other {id}                   person          administrator      yes  yes  -    -    404  404  400
      listUserProducts other {id}                  person          administrator      yes  yes  -    -    404  404  400
      listUserReferrals other {userId}             person          administrator      yes  yes  -    -    404  404  400
      updateUserReferrals other {userId}           person          administrator      yes  yes  -    -    404  404  400
      listMyActivities {id}                        onlyMe          member             yes  400  400  -    -    400  400
      askToConnect {body.peerId}                   person          member             400  yes  -    404  404  404  400
      moveConnection requested {peerId}            person          member             -    409  -    404  404  404  400
      readConnection own {id}                      connection      member             yes  404  -    -    404  404  400
      createUserCommunity {body.userId}            person          service-key        -    yes  -    -    400  400  400
      mintToken {body.id}                          person          service-key        -    404  -    -    404  404  400
    `,
  },
  {
    title: 'accounts',
    rows: `
                                                   kind            asked by           own  othr else hide gone rand malf
      deleteAccount own {email}                    email           member             yes  403  -    403  403  403  400
      deleteAccount other {email}                  email           administrator      yes  yes  -    -    404  404  400
      checkEmail {email}                           email           anonymous          -    yes  -    -    yes  yes  400
      requestPasswordReset {email}                 email           anonymous          -    yes  -    -    yes  yes  400
      changeEnrolments {email}                     email           service-key        -    yes  -    -    404  404  400
      withdrawPerson {email}                       email           service-key        -    -    -    -    404  404  400
      readRegistration {query.email}               email           service-key        -    yes  -    -    404  404  400
      writeRegistration other {body.email}         email           service-key        -    yes  -    -    404  404  400
      deleteSession own {id}                       session         member             yes  404  -    -    404  404  400
      renamePasskey own {id}                       passkey         member             yes  404  -    -    404  404  400
      removePasskey own {id}                       passkey         member             yes  404  -    -    404  404  400
      removePushDevice own {id}                    pushDevice      member             yes  404  -    -    404  404  400
      readPerson {id}                              person          administrator      yes  yes  -    -    404  404  400
      explainApproval {id}                         person          administrator      yes  yes  -    -    404  404  400
      readTranscript {id}                          person          administrator      yes  yes  -    -    404  404  400
      downloadTranscript {id}                      person          administrator      yes  yes  -    -    404  404  400
      listPayments {id}                            person          administrator      yes  yes  -    -    404  404  400
      listPersonSessions {id}                      person          administrator      yes  yes  -    -    404  404  400
      listPersonRoles {id}                         person          administrator      yes  yes  -    -    404  404  400
      giveRole other {id}                          person          administrator      403  yes  -    -    404  404  400
      takeRole other {id}                          person          administrator      403  404  -    -    404  404  400
      takeRole other {assignmentId}                roleAssignment  administrator      -    -    404  -    -    404  400
      endPersonSessions {id}                       person          administrator      yes  yes  -    -    404  404  400
      endPersonSession {id}                        person          administrator      404  404  -    -    404  404  400
      endPersonSession {sessionId}                 session         administrator      404  404  -    -    404  404  400
      resetSecondFactor other {id}                 person          administrator      403  yes  -    -    404  404  400
      readDataExport own {id}                      export          member             yes  404  -    -    404  404  400
      downloadDataExport own {id}                  export          member             yes  404  -    -    404  404  400
      downloadWholeExport own {exportId}           wholeExport     administrator      yes  404  -    -    404  404  400
      readNotification own {id}                    notification    member             yes  404  -    -    -    404  400
      readPersonFollow {id}                        person          administrator      400  yes  -    404  404  404  400
      setPersonFollow {id}                         person          administrator      400  yes  -    404  404  404  400
      deleteThread own {threadId}                  thread          member             yes  404  -    -    -    404  400
      readJobAnalysis own {threadId}               jobAnalysis     member             yes  404  -    -    -    404  400
    `,
  },
  {
    title: 'content',
    rows: `
                                                   kind            asked by           own  othr else hide gone rand malf
      readAcademy {slug}                           academy         member             -    yes  -    404  404  404  400
      joinAcademy {slug}                           academy         member             -    yes  -    404  404  404  400
      completeMicrocourse {slug}                   microcourse     member             -    yes  -    404  404  404  400
      readMicrocourse {slug}                       microcourse     member             -    yes  -    404  404  404  400
      readEditorial {slug}                         hub             member             -    yes  -    404  404  404  400
      readEvent {slug}                             event           member             -    yes  -    404  404  404  400
      downloadEventCalendar {slug}                 event           member             -    yes  -    404  404  404  400
      registerForSession {id}                      eventSession    member             yes  yes  -    404  404  404  400
      leaveSession own {id}                        eventSession    member             yes  404  -    404  404  404  400
      listSessionRegistrations {id}                eventSession    administrator      -    yes  -    -    yes  404  400
      setAttendance {id}                           eventSession    administrator      -    404  -    404  404  404  400
      setAttendance {userId}                       person          administrator      404  404  -    -    404  404  400
      updateSession {id}                           eventSession    administrator      -    yes  -    -    yes  404  400
      readEntrySlug {id}                           entry           member             -    yes  -    404  404  404  400
      readArticle {slug}                           article         member             yes  yes  -    -    404  404  400
      readArticleTranslation {slug}                article         member             yes  yes  -    -    404  404  400
      updateArticle own {slug}                     article         member             yes  403  -    -    404  404  400
      deleteArticle own {slug}                     article         member             yes  403  -    -    404  404  400
      restoreArticle own {slug}                    deletedArticle  member             yes  404  -    -    404  404  400
      shareArticle {slug}                          article         owner              yes  yes  -    -    404  404  400
      verifyCertificate {publicId}                 certificate     anonymous          -    yes  -    -    -    404  400
      checkCertificateFile {publicId}              certificate     anonymous          -    yes  -    -    -    404  400
      readMyPayment own {id}                       payment         member             -    404  -    -    -    404  400
      correctMyCertificate own {publicId}          certificate     member             -    404  -    -    -    404  400
      revokeCertificate {publicId}                 certificate     administrator      -    yes  -    -    -    404  400
    `,
  },
  {
    title: 'administration and services',
    rows: `
                                                   kind            asked by           own  othr else hide gone rand malf
      readCohort {id}                              cohort          administrator      -    yes  -    -    -    404  400
      updateCohort {id}                            cohort          administrator      -    yes  -    -    -    404  400
      renameCohort {id}                            cohort          administrator      -    yes  -    -    -    404  400
      archiveCohort {id}                           cohort          administrator      -    yes  -    -    -    404  400
      reopenCohort {id}                            cohort          administrator      -    yes  -    -    -    404  400
      previewCohortDeletion {id}                   cohort          administrator      -    yes  -    -    -    404  400
      deleteCohort {id}                            cohort          administrator      -    400  -    -    -    404  400
      searchCohortMembers {id}                     cohort          administrator      -    yes  -    -    -    404  400
      listCohortProducts {id}                      cohort          administrator      -    yes  -    -    -    404  400
      setCohortProducts {id}                       cohort          administrator      -    yes  -    -    -    404  400
      createUpload {id}                            cohort          administrator      -    yes  -    -    -    404  400
      listUploads {id}                             cohort          administrator      -    yes  -    -    -    404  400
      listUploadAddresses {id}                     cohort          administrator      -    yes  -    -    -    404  400
      listUploadAddresses {uploadId}               upload          administrator      -    yes  404  -    -    404  400
      addCohortUser {id}                           cohort          administrator      -    yes  -    -    -    404  400
      listCohortUsers {id}                         cohort          administrator      -    yes  -    -    -    404  400
      listCohortInvitations {id}                   cohort          administrator      -    yes  -    -    -    404  400
      readFigures {query.cohort}                   cohort          administrator      -    yes  -    -    -    404  400
      readPeriodReport {query.cohort}              cohort          administrator      -    yes  -    -    -    404  400
      readCourseCompletion {courseSlug}            courseSlug      administrator      -    -    -    -    yes  404  400
      updateSiteNotice {id}                        notice          administrator      -    yes  -    -    -    404  400
      deleteSiteNotice {id}                        notice          administrator      -    yes  -    -    -    404  400
      retryMail {id}                               failedMail      administrator      -    yes  -    -    -    404  400
      retryJobs {body.id}                          failedJob       administrator      -    yes  -    -    -    404  400
      removeCohortMember {id}                      cohort          administrator      -    yes  -    -    -    404  400
      removeCohortMember {userId}                  cohortMember    administrator      -    yes  404  -    -    404  400
      withdrawInvitation {id}                      cohort          administrator      -    yes  -    -    -    404  400
      withdrawInvitation {invitationId}            invitation      administrator      -    yes  404  -    -    404  400
      searchInvitations {id}                       cohort          administrator      -    yes  -    -    -    404  400
      resendInvitations {id}                       cohort          administrator      -    yes  -    -    -    404  400
      listResends {id}                             cohort          administrator      -    yes  -    -    -    404  400
      readCohortSettings {id}                      cohort          administrator      -    yes  -    -    -    404  400
      updateCohortSettings {id}                    cohort          administrator      -    yes  -    -    -    404  400
      previewInvitationMail {id}                   cohort          administrator      -    yes  -    -    -    404  400
      remindLearners {id}                          cohort          administrator      -    yes  -    -    -    404  400
      remindLearners {journeyId}                   cohortJourney   administrator      -    yes  404  -    -    404  400
      attachCohortProduct {id}                     cohort          administrator      -    yes  -    -    -    404  400
      attachCohortProduct {entryId}                product         administrator      -    yes  404  -    -    404  400
      detachCohortProduct {id}                     cohort          administrator      -    yes  -    -    -    404  400
      detachCohortProduct {entryId}                cohortProduct   administrator      -    yes  404  -    -    404  400
      listDueDates {id}                            cohort          administrator      -    yes  -    -    -    404  400
      readUploadFile {id}                          cohort          administrator      -    yes  -    -    -    404  400
      readUploadDraft {id}                         cohort          administrator      -    yes  -    -    -    404  400
      readUploadDraft {draftId}                    draft           administrator      yes  404  404  -    -    404  400
      chooseDraftColumn {id}                       cohort          administrator      -    yes  -    -    -    404  400
      chooseDraftColumn {draftId}                  draft           administrator      yes  404  404  -    -    404  400
      confirmDraft {id}                            cohort          administrator      -    yes  -    -    -    404  400
      confirmDraft {draftId}                       draft           administrator      yes  404  404  -    -    404  400
      readUpload {id}                              cohort          administrator      -    yes  -    -    -    404  400
      readUpload {uploadId}                        upload          administrator      -    yes  404  -    -    404  400
      undoUpload {id}                              cohort          administrator      -    yes  -    -    -    404  400
      undoUpload {uploadId}                        upload          administrator      -    yes  404  -    -    404  400
      readCohortProgress {id}                      cohort          administrator      -    yes  -    -    -    404  400
      listCohortProgress {id}                      cohort          administrator      -    yes  -    -    -    404  400
      listCohortProgress {journeyId}               cohortJourney   administrator      -    yes  404  -    -    404  400
      setCohortProducts {body.entryIds.0}          product         administrator      -    yes  400  -    -    400  400
      registerProduct {id}                         product         administrator      -    yes  yes  -    -    404  400
      readProductPermissions {id}                  product         administrator      -    yes  404  -    -    404  400
      setProductPermission {id}                    product         administrator      -    yes  404  -    -    404  400
      previewProductAccess {id}                    product         administrator      -    yes  404  -    -    404  400
      setProductAccess {id}                        product         administrator      -    yes  404  -    -    404  400
      setPermissionOfProducts {body.ids.0}         product         administrator      -    yes  404  -    -    404  400
      readPiece {key}                              piece           administrator      -    -    404  -    -    404  400
      savePiece {key}                              piece           administrator      -    -    404  -    -    404  400
      uploadPiecePicture {key}                     piece           administrator      -    -    404  -    -    404  400
      uploadPieceFile {key}                        piece           administrator      -    -    404  -    -    404  400
      openPieceUpload {key}                        piece           administrator      -    -    404  -    -    404  400
      sendPieceUploadPart {key}                    piece           administrator      -    -    404  -    -    404  400
      finishPieceUpload {key}                      piece           administrator      -    -    404  -    -    404  400
      cancelPieceUpload {key}                      piece           administrator      -    -    404  -    -    404  400
      sendPieceUploadPart {upload}                 pieceUpload     administrator      -    -    -    -    -    404  400
      finishPieceUpload {upload}                   pieceUpload     administrator      -    -    -    -    -    404  400
      cancelPieceUpload {upload}                   pieceUpload     administrator      -    -    -    -    -    404  400
      sendPieceUploadPart {number}                 partNumber      administrator      -    -    -    -    -    400  400
      importQuestions {key}                        piece           administrator      -    -    404  -    -    404  400
      exportQuestions {key}                        piece           administrator      -    -    404  -    -    404  400
      readQuestionStatistics {key}                 piece           administrator      -    -    404  -    -    404  400
      readEvaluationResults {key}                  piece           administrator      -    -    404  -    -    404  400
      removePieceFile {key}                        piece           administrator      -    -    404  -    -    404  400
      discardDraft {key}                           piece           administrator      -    -    404  -    -    404  400
      publishPiece {key}                           piece           administrator      -    -    404  -    -    404  400
      listExtraTime {key}                          piece           administrator      -    -    404  -    -    404  400
      setExtraTime {key}                           piece           administrator      -    -    404  -    -    404  400
      readMarking {attemptId}                      marking         administrator      403  yes  -    -    -    404  400
      markAttempt {attemptId}                      marking         administrator      403  yes  -    -    -    404  400
      withdrawPiece {key}                          piece           administrator      -    -    404  -    -    404  400
      listPieceVersions {key}                      piece           administrator      -    -    404  -    -    404  400
      comparePiece {key}                           piece           administrator      -    -    404  -    -    404  400
      restorePieceVersion {key}                    piece           administrator      -    -    404  -    -    404  400
      noteWriter {key}                             piece           administrator      -    -    404  -    -    404  400
      previewPiece {key}                           piece           administrator      -    -    404  -    -    404  400
      restorePieceVersion {number}                 pieceVersion    administrator      -    -    -    -    -    404  400
      deletePiece {key}                            piece           administrator      -    -    404  -    -    404  400
      orderJourneys {key}                          piece           administrator      -    -    404  -    -    404  400
      listCommunityOwners {key}                    piece           administrator      -    -    404  -    -    404  400
      nameCommunityOwner {key}                     piece           administrator      -    -    404  -    -    404  400
      removeCommunityOwner {key}                   piece           administrator      -    -    404  -    -    404  400
      removeCommunityOwner {email}                 ownerClaim      administrator      -    -    -    -    -    404  400
      readContentImport {importId}                 contentImport   administrator      -    yes  -    -    -    404  400
      beginContentImport {importId}                contentImport   administrator      -    yes  -    -    -    404  400
      readAutoApproval {id}                        rule            service-key        -    yes  -    -    404  404  400
      updateAutoApproval {id}                      rule            service-key        -    yes  -    -    404  404  400
      deleteAutoApproval {id}                      rule            service-key        -    yes  -    -    404  404  400
      readBulkEnrolment {id}                       bulkEnrolment   service-key        -    yes  -    -    -    404  400
      updateBulkEnrolment {id}                     bulkEnrolment   service-key        -    yes  -    -    -    404  400
      readUserCommunity {id}                       membership      service-key        -    yes  -    -    404  404  400
      updateUserCommunity {id}                     membership      service-key        -    yes  -    -    404  404  400
      enrolPerson {body.cohortIds.0}               cohort          service-key        -    yes  -    -    -    400  400
      enrolPerson {body.enrolments.0.slug}         courseSlug      service-key        -    -    -    -    -    400  400
    `,
  },
];

export type ObjectRow = {
  /** As in the table: the request, and the identifier in braces. */
  name: string;
  request: string;
  identifier: string;
  kind: string;
  subject: SubjectName;
  answers: Partial<Record<Variant, 'yes' | number>>;
};

export function readObjectRows({ title, rows }: (typeof OBJECT_TABLES)[number]): ObjectRow[] {
  const [, ...lines] = rows.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const words = line.trim().split(/\s+/);
    const cells = words.splice(-VARIANTS.length);
    const [kind = '', subject = ''] = words.splice(-2);
    const name = words.join(' ');
    const [, request = '', identifier = ''] = /^(.+) \{(.+)\}$/.exec(name) ?? [];
    const isSubject = (SUBJECTS as readonly string[]).includes(subject);
    if (request === '' || !isSubject || !cells.every((cell) => /^(yes|-|[234]\d\d)$/.test(cell)))
      throw new Error(`"${title}" has an invalid row: ${line.trim()}`);
    const answers: ObjectRow['answers'] = {};
    for (const [at, variant] of VARIANTS.entries()) {
      const cell = cells[at]!; // as many as there are variants
      if (cell !== '-') answers[variant] = cell === 'yes' ? cell : Number(cell);
    }
    return { name, request, identifier, kind, subject: subject as SubjectName, answers }; // checked above
  });
}
