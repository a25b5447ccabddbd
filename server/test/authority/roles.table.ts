import { ASSIGNED_ROLES, type AssignedRole } from '@officium/contract/roles';
import type { Place } from './fixture.ts';
import type { Expected } from './table.ts';

/**
 * The access rules of assigned roles: a column for each role, and a row for each case of `table.ts` that a role opens.
 * All other rows answer a holder of all roles like a public servant who belongs to neither the community nor the course.
 *
 * A cell is the answer in the role's own place, then, after a slash, the answer about another place of the same kind;
 * one answer alone is for both. `.` is the answer of that public servant, also after the slash.
 */
type RoleTable = { title: string; community?: Place; rows: string };

const ROLE_TABLES: readonly RoleTable[] = [
  {
    title: 'the administration',
    rows: `
                                          auditr    report    manag     moder     owner     author    transl
      listAuditLog                        yes       .         .         .         .         .         .
      listCases                           yes       .         .         yes       yes       .         .
      readFigures                         .         yes/404   404       .         404       .         .
      readPeriodReport                    .         yes/404   404       .         404       .         .
      readCourseCompletion                .         yes/404   404       .         yes/404   .         .
      readCohortProgress                  .         yes/404   yes/404   .         404       .         .
      listCohortProgress                  .         yes/404   yes/404   .         404       .         .
      listReportPlaces                    .         yes       yes       .         yes       .         .
      listIssuedCertificates              .         yes       yes       .         yes       .         .
      listCohorts                         .         yes       yes       .         .         .         .
      readCohort                          .         yes/404   yes/404   .         .         .         .
      searchCohortMembers                 .         .         yes/404   .         .         .         .
      listCohortProducts                  .         .         yes/404   .         .         .         .
      createUpload                        .         .         yes/404   .         .         .         .
      listUploads                         .         .         yes/404   .         .         .         .
      listUploadAddresses                 .         .         yes/404   .         .         .         .
      addCohortUser                       .         .         yes/404   .         .         .         .
      listCohortUsers                     .         .         yes/404   .         .         .         .
      listCohortInvitations               .         .         yes/404   .         .         .         .
      removeCohortMember                  .         .         yes/404   .         .         .         .
      withdrawInvitation                  .         .         yes/404   .         .         .         .
      searchInvitations                   .         .         yes/404   .         .         .         .
      resendInvitations                   .         .         yes/404   .         .         .         .
      listResends                         .         .         yes/404   .         .         .         .
      readCohortSettings                  .         .         yes/404   .         .         .         .
      updateCohortSettings                .         .         yes/404   .         .         .         .
      previewInvitationMail               .         .         yes/404   .         .         .         .
      remindLearners                      .         .         yes/404   .         .         .         .
      listDueDates                        .         .         yes/404   .         .         .         .
      readUploadFile                      .         .         yes/404   .         .         .         .
      readUploadDraft                     .         .         yes/404   .         .         .         .
      chooseDraftColumn                   .         .         yes/404   .         .         .         .
      confirmDraft                        .         .         yes/404   .         .         .         .
      readUpload                          .         .         yes/404   .         .         .         .
      undoUpload                          .         .         yes/404   .         .         .         .
      attachCohortProduct                 .         .         403/404   .         .         .         .
      attachCohortProduct again           .         .         yes/404   .         .         .         .
      listMedia                           .         .         .         .         yes       yes       .
      listPieces                          .         .         .         .         yes       yes       yes
      createPiece                         .         .         .         .         403       403       .
      createPiece in a course             .         .         .         .         yes/404   yes/404   .
      readPiece                           .         .         .         .         yes/404   yes/404   yes/404
      savePiece                           .         .         .         .         yes/404   yes/404   403/404
      savePiece of a translation          .         .         .         .         yes/404   yes/404   yes/404
      uploadPiecePicture                  .         .         .         .         yes/404   yes/404   .
      uploadPieceFile                     .         .         .         .         yes/404   yes/404   .
      openPieceUpload                     .         .         .         .         yes/404   yes/404   .
      sendPieceUploadPart                 .         .         .         .         yes/404   yes/404   .
      finishPieceUpload                   .         .         .         .         yes/404   yes/404   .
      cancelPieceUpload                   .         .         .         .         yes/404   yes/404   .
      importQuestions                     .         .         .         .         yes/404   yes/404   .
      exportQuestions                     .         .         .         .         yes/404   yes/404   .
      readQuestionStatistics              .         .         .         .         yes/404   yes/404   .
      readEvaluationResults               .         .         .         .         yes/404   yes/404   .
      removePieceFile                     .         .         .         .         yes/404   yes/404   .
      discardDraft                        .         .         .         .         yes/404   yes/404   .
      publishPiece                        .         .         .         .         yes/404   .         .
      listExtraTime                       .         .         .         .         yes/404   .         .
      setExtraTime                        .         .         .         .         yes/404   .         .
      listMarking                         .         .         .         .         yes       .         .
      readMarking                         .         .         .         .         yes/404   .         .
      markAttempt                         .         .         .         .         yes/404   .         .
      withdrawPiece                       .         .         .         .         yes/404   .         .
      listPieceVersions                   .         .         .         .         yes/404   yes/404   yes/404
      comparePiece                        .         .         .         .         yes/404   yes/404   yes/404
      restorePieceVersion                 .         .         .         .         yes/404   .         .
      noteWriter                          .         .         .         .         yes/404   yes/404   yes/404
      previewPiece                        .         .         .         .         yes/404   yes/404   yes/404
      deletePiece                         .         .         .         .         404       404       .
      deletePiece in a course             .         .         .         .         yes/404   yes/404   .
      orderJourneys                       .         .         .         .         yes/404   .         .
      checkContent                        .         .         .         .         yes       yes       yes
      listContentFindings                 .         .         .         .         yes       yes       yes
    `,
  },
  {
    title: 'the discussions of a course',
    rows: `
                                          auditr    report    manag     moder     owner     author    transl
      listReports of a course             .         .         .         .         yes/.     .         .
      reportContent discussion            .         .         .         .         yes/.     .         .
      reportContent own discussion        .         .         .         .         403/.     .         .
      decideReports of a discussion       .         .         .         .         yes/.     .         .
      claimCase of a discussion           .         .         .         .         yes/.     .         .
      listAppeals of a course             .         .         .         .         yes/.     .         .
    `,
  },
  {
    // A moderator by role who is no member opens the cases of a closed community and the page of a hidden one.
    title: 'an open community',
    community: 'open',
    rows: `
                                          auditr    report    manag     moder     owner     author    transl
      createActivity                      .         .         .         yes/403   .         .         .
      uploadPostPicture                   .         .         .         yes/403   .         .         .
      updateActivity own                  .         .         .         yes/403   .         .         .
      deleteActivity own                  .         .         .         yes/403   .         .         .
      deleteActivity other                .         .         .         yes/403   .         .         .
      createActivityReaction like         .         .         .         yes/403   .         .         .
      createActivityReaction reply        .         .         .         yes/403   .         .         .
      createActivityReaction pin          .         .         .         yes/403   .         .         .
      listActivityReactions               .         .         .         yes/403   .         .         .
      createChildReaction like            .         .         .         yes/403   .         .         .
      createChildReaction reply           .         .         .         yes/403   .         .         .
      listChildReactions                  .         .         .         yes/403   .         .         .
      locateReaction                      .         .         .         yes/403   .         .         .
      updateReaction own                  .         .         .         yes/403   .         .         .
      deleteReaction own like             .         .         .         yes/403   .         .         .
      deleteReaction own reply            .         .         .         yes/403   .         .         .
      deleteReaction other                .         .         .         yes/403   .         .         .
      listMembers                         .         .         .         yes/403   .         .         .
      reportContent post                  .         .         .         yes/yes   .         .         .
      reportContent reply                 .         .         .         yes/403   .         .         .
      listReports                         .         .         .         yes/403   .         .         .
      decideReports to keep               .         .         .         yes/403   .         .         .
      decideReports to remove             .         .         .         yes/403   .         .         .
      claimCase                           .         .         .         yes/403   .         .         .
      listAppeals                         .         .         .         yes/403   .         .         .
      listModerationLog                   .         .         .         yes/403   .         .         .
      readDecision other                  .         .         .         yes/404   .         .         .
      appealDecision other                .         .         .         403/404   .         .         .
      decideAppeal other                  .         .         .         yes/404   .         .         .
      decideAppeal of an owner            .         .         .         403/404   .         .         .
      createCommunityPoll                 .         .         .         yes/403   .         .         .
      removeCommunityPoll own             .         .         .         yes/403   .         .         .
      removeCommunityPoll other           .         .         .         yes/403   .         .         .
      removePoll own in a community       .         .         .         yes/403   .         .         .
      removePoll other in a community     .         .         .         yes/403   .         .         .
      castVote                            .         .         .         yes/403   .         .         .
      retractVote own                     .         .         .         yes/403   .         .         .
      shareArticle                        .         .         .         yes/207   .         .         .
      translatePayload reply              .         .         .         yes/403   .         .         .
      readPayloadTranslation reply        .         .         .         yes/403   .         .         .
    `,
  },
  {
    title: 'a closed community',
    community: 'closed',
    rows: `
                                          auditr    report    manag     moder     owner     author    transl
      listReports                         .         .         .         yes/.     .         .         .
      decideReports to keep               .         .         .         yes/.     .         .         .
      decideReports to remove             .         .         .         yes/.     .         .         .
      claimCase                           .         .         .         yes/.     .         .         .
      listAppeals                         .         .         .         yes/.     .         .         .
      listModerationLog                   .         .         .         yes/.     .         .         .
      readDecision other                  .         .         .         yes/.     .         .         .
      decideAppeal other                  .         .         .         yes/.     .         .         .
      appealDecision other                .         .         .         403/.     .         .         .
      decideAppeal of an owner            .         .         .         403/.     .         .         .
    `,
  },
  {
    title: 'a hidden community',
    community: 'hidden',
    rows: `
                                          auditr    report    manag     moder     owner     author    transl
      readCommunity                       .         .         .         yes/.     .         .         .
      readCommunitySettings               .         .         .         yes/.     .         .         .
      listReports                         .         .         .         yes/.     .         .         .
      decideReports to keep               .         .         .         yes/.     .         .         .
      decideReports to remove             .         .         .         yes/.     .         .         .
      claimCase                           .         .         .         yes/.     .         .         .
      listAppeals                         .         .         .         yes/.     .         .         .
      listModerationLog                   .         .         .         yes/.     .         .         .
      readDecision other                  .         .         .         yes/.     .         .         .
      decideAppeal other                  .         .         .         yes/.     .         .         .
      decideReports own                   .         .         .         403/.     .         .         .
      appealDecision other                .         .         .         403/.     .         .         .
      decideAppeal of an owner            .         .         .         403/.     .         .         .
    `,
  },
];

/** `foreign` undefined: the answer of a public servant. */
export type RoleCell = { own: Expected; foreign: Expected | undefined };
/** `community`: the row is for the tables with a community of this state; undefined: for all. */
export type RoleRow = { name: string; community: Place | undefined; cells: Record<AssignedRole, RoleCell | undefined> };

const answerOf = (word: string): Expected => (word === 'yes' ? 'yes' : Number(word));
const foreignOf = (word: string) => (word === '.' ? undefined : answerOf(word));

function cellOf(word: string): RoleCell | undefined {
  if (word === '.') return undefined;
  const [own = '', foreign = own] = word.split('/');
  return { own: answerOf(own), foreign: foreignOf(foreign) };
}

/** The rows, with undefined cells for the answers of a public servant. */
export function readRoleRows(): RoleRow[] {
  return ROLE_TABLES.flatMap(({ community, rows }) => {
    const [, ...lines] = rows.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => ({ community, ...readRow(line) }));
  });
}

function readRow(line: string): Pick<RoleRow, 'name' | 'cells'> {
  const words = line.trim().split(/\s+/);
  const name = words.slice(0, -ASSIGNED_ROLES.length).join(' ');
  const cells = words.slice(-ASSIGNED_ROLES.length);
  const wrong = cells.find((cell) => !/^(\.|(yes|[234]\d\d)(\/(\.|yes|[234]\d\d))?)$/.test(cell));
  if (name === '' || wrong !== undefined)
    throw new Error(`A row is not a name and ${ASSIGNED_ROLES.length} cells: ${line.trim()}`);
  return {
    name,
    cells: Object.fromEntries(ASSIGNED_ROLES.map((role, at) => [role, cellOf(cells[at] ?? '')])) as RoleRow['cells'], // one for each role
  };
}
