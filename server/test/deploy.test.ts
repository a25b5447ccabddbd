import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../config.ts';
import { isIgnored } from './image.ts';
import { ROOT } from './process.ts';

type Settings = Record<string, string>;
type Service = {
  environment: Settings;
  ports?: string[];
  networks?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
};
type Container = {
  image: string;
  env: { name: string; value: string }[];
  ports: { name: string; containerPort: number }[];
  securityContext: object;
  readinessProbe?: object;
};
type Way = { from?: object[]; to?: { ipBlock?: { cidr: string; except: string[] } }[]; ports: object[] };
type Resource = {
  kind: string;
  metadata: { name: string };
  data?: Settings;
  spec: {
    podSelector: object;
    template: { spec: { containers: Container[]; securityContext: object } };
    ingress?: Way[];
    egress?: Way[];
  };
};

const read = (file: string) => readFileSync(join(ROOT, 'deploy', file), 'utf8');
/** Replaces empty values as an operator would, with characters that are special in URLs. */
const SECRET = 'p@ss:w/o#r%d-of-32-characters-or-more';
const fill = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value || SECRET]));
const parsed = (file: string): Settings => parseEnv(read(file)) as Settings; // every name has a value

describe('secrets', () => {
  const files = ['.env', 'deploy/.env', 'deploy/.env.production', 'server/.env.local', 'web/app/.env'];

  it('are ignored by git and excluded from the image', () => {
    expect(files.filter((file) => !isIgnored(file))).toEqual([]);
    const rules = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n');
    expect(rules.filter((rule) => rule.includes('.env'))).toEqual(['.env*', '!.env.example']);
  });
});

describe('deploy/compose.yaml', () => {
  const text = read('compose.yaml');
  const example = parsed('.env.example');
  const needed = new Set([...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name));
  const given = {
    ...example,
    ...fill(Object.fromEntries(Object.entries(example).filter(([name]) => needed.has(name)))),
  };
  const { services } = parse(text, { merge: true }) as { services: Record<string, Service> }; // our own file
  /** Substitutes variables as Compose does. */
  const put = (value: string) =>
    value.replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?)?\}/g, (_, name: string, otherwise = '') => given[name] || otherwise);

  it('needs exactly the settings of its example', () => {
    const names = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    expect([...names].sort()).toEqual(Object.keys(example).sort());
  });

  it('gives services no more rights than they need', () => {
    for (const [name, service] of Object.entries(services))
      expect({ name, ...service }).toMatchObject({
        name,
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    expect(Object.keys(services).filter((name) => services[name]?.ports)).toEqual(['proxy']);
    expect(services['postgres']?.networks).toEqual(['database']);
    for (const name of ['web', 'worker']) expect(services[name]?.cap_add).toBeUndefined();
  });

  it.each(['web', 'worker'])('gives %s a valid and safe configuration', (name) => {
    const own = Object.entries(services[name]!.environment); // the test names existing services
    const environment = Object.fromEntries(own.map(([setting, value]) => [setting, put(value)]));
    const config = readConfig({ ...environment, HOST: '0.0.0.0' });
    expect(config).toMatchObject({ trustProxy: 1, isLocal: false, demoContent: 'never', adminSecondFactor: 'screens' });
    expect(new URL(environment['DATABASE_URL'] ?? '')).toMatchObject({ username: 'officium', password: '' });
    expect(environment['PGPASSWORD']).toBe(SECRET);
  });
});

describe('deploy/kubernetes.yaml', () => {
  const resources = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS() as Resource); // our own file
  const pods = resources
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ metadata, spec }) => ({ name: metadata.name, ...spec.template.spec }));
  const settings = resources.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};

  it('has an image whose name and tag the operator sets', () => {
    const { images } = parse(read('kustomization.yaml')) as { images: Record<string, string>[] }; // our own file
    expect(images).toEqual([{ name: 'officium', newName: expect.stringContaining('/'), newTag: expect.any(String) }]);
    expect(pods.flatMap(({ containers }) => containers.map(({ image }) => image))).toEqual(['officium', 'officium']);
  });

  it.each(pods)(
    'gives $name no more rights than it needs, and a readiness probe',
    ({ containers, securityContext }) => {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(containers).toMatchObject([
        {
          readinessProbe: { httpGet: { path: '/readyz' } },
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ]);
    },
  );

  it.each(pods)('gives $name a valid configuration: one process, one proxy, a port for metrics', ({ containers }) => {
    const own = Object.fromEntries(containers[0]!.env.map(({ name, value }) => [name, value])); // each has one container
    const config = readConfig({
      ...settings,
      ...own,
      HOST: '0.0.0.0',
      DATABASE_URL: 'postgres://officium@db/officium',
    });
    expect(config).toMatchObject({ processes: 1, trustProxy: 1, isLocal: false, demoContent: 'never' });
    const ports = Object.fromEntries(containers[0]!.ports.map(({ name, containerPort }) => [name, containerPort]));
    expect(ports).toEqual({ http: config.port, metrics: config.metricsPort });
  });

  it('allows only the named network traffic', () => {
    const policies = resources.filter(({ kind }) => kind === 'NetworkPolicy');
    expect(policies[0]?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    expect(policies.map(({ metadata }) => metadata.name)).toEqual(['deny-all', 'officium-in', 'officium-out']);
    const [, incoming, outgoing] = policies.map(({ spec }) => spec);
    // Every way in names who may take it; every way out names a port, and none to anywhere leads into a private network.
    expect(incoming!.ingress!.every(({ from, ports }) => from!.length > 0 && ports.length > 0)).toBe(true); // three policies
    expect(outgoing!.egress!.every(({ ports }) => ports.length > 0)).toBe(true);
    const blocks = outgoing!.egress!.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? []));
    expect(Object.fromEntries(blocks.map(({ cidr, except }) => [cidr, except]))).toEqual({
      '0.0.0.0/0': ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
      '::/0': ['fc00::/7', 'fe80::/10'],
    });
    const kinds = resources.map(({ kind }) => kind);
    for (const kind of ['Namespace', 'Ingress', 'HorizontalPodAutoscaler', 'PodDisruptionBudget'])
      expect(kinds).toContain(kind);
  });
});

describe('deploy/officium.service', () => {
  const unit = read('officium.service');
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Settings }; // our own file

  it('runs the commands of npm start and npm run build', () => {
    const [, start] = /^ExecStart=\/usr\/bin\/env (.+)$/m.exec(unit) ?? [];
    const [, build] = /^ExecStartPre=\/usr\/bin\/env (.+)$/m.exec(unit) ?? [];
    expect([start, build]).toEqual([scripts['start'], scripts['build']]);
  });

  it('leaves the service no rights that it does not need', () => {
    const lines = unit.split('\n');
    for (const line of [
      'DynamicUser=yes',
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'ProtectHome=yes',
      'PrivateDevices=yes',
      'PrivateUsers=yes',
      'RestrictNamespaces=yes',
      'CapabilityBoundingSet=',
      'SystemCallFilter=@system-service',
      'SystemCallFilter=~@privileged @resources',
    ])
      expect(lines).toContain(line);
  });

  it('has sample settings that are valid and safe', () => {
    const filled = parseEnv(read('officium.env.example').replaceAll(/=''$/gm, `='${SECRET}'`)) as Settings; // every name has a value
    expect([filled['PGPASSWORD'], filled['ADMIN_PASSWORD']]).toEqual([SECRET, SECRET]);
    const config = readConfig(fill(filled));
    expect(config).toMatchObject({
      isLocal: false,
      demoContent: 'never',
      trustProxy: ['127.0.0.1'],
      metricsPort: 9464,
    });
  });
});

describe('deploy/nginx.conf', () => {
  it('has no upstream without a listener', () => {
    expect(read('nginx.conf').match(/^ +server [\d.]+:\d+/gm)).toEqual(['  server 127.0.0.1:3000']);
  });

  it('redirects only to its own host name', () => {
    expect(read('nginx.conf').match(/return 30\d [^;]+/g)).toEqual(['return 308 https://$server_name$request_uri']);
  });
});
