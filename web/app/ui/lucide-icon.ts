import { createElement, type ComponentType, type SVGProps } from 'react';

type Data = { node: [tag: string, attributes: Record<string, string>][] };
type Props = SVGProps<SVGSVGElement> & { size: number };

/**
 * Makes the component of one icon. vite.config.ts puts it in place of lucide-react's own, which computes attributes and
 * classes at each rendering that ui/icon.tsx does not use: 2 kB of script on every page.
 */
export default function createLucideIcon({ node }: Data): ComponentType<Props> {
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes));
  return function LucideIcon({ size, ...attributes }) {
    return createElement('svg', { width: size, height: size, viewBox: '0 0 24 24', ...attributes }, ...shapes);
  };
}
