import { exportFolder } from '#server/areas/importing/export.service.ts';
import { complain, runCommand, say } from './open.ts';

const USAGE = 'Usage: npm run export -- <folder>';

/** `npm run export -- <folder>`: writes the catalogue as the content folder it could have come from. */
const [path, ...rest] = process.argv.slice(2);
if (path === undefined || rest.length > 0 || path.startsWith('--')) {
  complain(USAGE);
  process.exitCode = 2;
} else {
  await runCommand(async (ctx) => {
    const { folder, assets } = await exportFolder(ctx, path);
    const { academies, courses, microcourses, communities } = folder;
    say(
      `Exported to ${path}: ${academies.length} academies, ${courses.length} courses, ${microcourses.length} microcourses, ` +
        `${communities.length} communities, ${assets.size} pictures.`,
    );
    return 0;
  });
}
