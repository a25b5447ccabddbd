import { ASSIGNED_ROLES, type AssignedRole } from '@officium/contract/roles';
import type { Expected } from './table.ts';

/**
 * The access rules of assigned roles: a column for each role, and a row for each case of `table.ts` that a role opens.
 * All other rows answer a holder of all roles like a public servant who belongs to neither the community nor the course.
 *
 * A cell is the answer in the role's own place, then, after a slash, the answer about another place of the same kind;
 * one answer alone is for both. `.` is the answer of that public servant.
 */
const ROLE_ROWS = `
                                      auditr  report    manag
  listAuditLog                        yes     .         .
  listCases                           yes     .         .
  readFigures                         .       yes/404   404
  readCourseCompletion                .       yes/404   404
  readCohortProgress                  .       yes/404   yes/404
  listCohortProgress                  .       yes/404   yes/404
  listReportPlaces                    .       yes       yes
  listCohorts                         .       yes       yes
  readCohort                          .       yes/404   yes/404
  searchCohortMembers                 .       .         yes/404
  listCohortProducts                  .       .         yes/404
  createUpload                        .       .         yes/404
  listUploads                         .       .         yes/404
  listUploadAddresses                 .       .         yes/404
  addCohortUser                       .       .         yes/404
  listCohortUsers                     .       .         yes/404
  listCohortInvitations               .       .         yes/404
  removeCohortMember                  .       .         yes/404
  withdrawInvitation                  .       .         yes/404
  searchInvitations                   .       .         yes/404
  resendInvitations                   .       .         yes/404
  listResends                         .       .         yes/404
  listDueDates                        .       .         yes/404
  readUploadFile                      .       .         yes/404
  readUploadDraft                     .       .         yes/404
  chooseDraftColumn                   .       .         yes/404
  confirmDraft                        .       .         yes/404
  readUpload                          .       .         yes/404
  undoUpload                          .       .         yes/404
  attachCohortProduct                 .       .         403/404
  attachCohortProduct again           .       .         yes/404
`;

export type RoleCell = { own: Expected; foreign: Expected };
export type RoleRow = { name: string; cells: Record<AssignedRole, RoleCell | undefined> };

const answerOf = (word: string): Expected => (word === 'yes' ? 'yes' : Number(word));

function cellOf(word: string): RoleCell | undefined {
  if (word === '.') return undefined;
  const [own = '', foreign = own] = word.split('/');
  return { own: answerOf(own), foreign: answerOf(foreign) };
}

/** The rows, with undefined cells for the answers of a public servant. */
export function readRoleRows(): RoleRow[] {
  const [, ...lines] = ROLE_ROWS.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const words = line.trim().split(/\s+/);
    const name = words.slice(0, -ASSIGNED_ROLES.length).join(' ');
    const cells = words.slice(-ASSIGNED_ROLES.length);
    const wrong = cells.find((cell) => !/^(\.|(yes|[234]\d\d)(\/(yes|[234]\d\d))?)$/.test(cell));
    if (name === '' || wrong !== undefined)
      throw new Error(`A row is not a name and ${ASSIGNED_ROLES.length} cells: ${line.trim()}`);
    return {
      name,
      cells: Object.fromEntries(ASSIGNED_ROLES.map((role, at) => [role, cellOf(cells[at] ?? '')])) as RoleRow['cells'], // one for each role
    };
  });
}
