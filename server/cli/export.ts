import { exportFolder } from '#server/areas/importing/export.service.ts';
import { runOnPath, print } from './open.ts';

const USAGE = 'Usage: npm run export -- <folder>';

/** `npm run export -- <folder>`: writes the catalogue as a content folder that `npm run import` reads. */
await runOnPath(USAGE, async (ctx, path) => {
  const { folder, assets } = await exportFolder(ctx, path);
  const { academies, courses, microcourses, communities, editorials } = folder;
  print(
    `Exported to ${path}: ${academies.length} academies, ${courses.length} courses, ${microcourses.length} microcourses, ` +
      `${communities.length} communities, ${editorials.length} questions, articles and hubs, ${assets.size} pictures.`,
  );
  return 0;
});
