import { GUIDES } from './app/areas/help/guides.ts';

/** Documents that the guides build on, in the order of the page. */
const REFERENCE = [
  'configuration.md',
  'operations.md',
  'deploy/one-machine.md',
  'deploy/compose.md',
  'deploy/kubernetes.md',
  'deploy/scaling-out.md',
  'integrations.md',
  'api.md',
  'content.md',
  'blocks.md',
  'export-format.md',
  'assistant.md',
  'futura.md',
  'translating.md',
  'glossary.md',
];

/** The documents of the help, below docs/. */
export const HELP_FILES: readonly string[] = [...GUIDES.map((guide) => `guides/${guide}.md`), ...REFERENCE];
