interface Instrument {
  /** By OpenTelemetry's conventions where they know such a thing; what only a shop has begins with `shop.`. */
  name: string
  /** `counted` goes up and down with what is under way; `timed` are durations; `looked` is read when somebody collects. */
  kind: 'timed' | 'counted' | 'looked'
  unit: string
  about: string
  /** What values are told apart by. Each has few values: routes and kinds, never paths, ids or people. */
  labels: readonly string[]
}

/** Everything that is measured for dashboards and alert rules. */
export const INSTRUMENT = {
  requestDuration: {
    name: 'http.server.request.duration',
    kind: 'timed',
    unit: 's',
    about: 'Requests that were answered.',
    labels: ['http.request.method', 'http.route', 'http.response.status_code'],
  },
  activeRequests: {
    name: 'http.server.active_requests',
    kind: 'counted',
    unit: '{request}',
    about: 'Requests that are being answered.',
    labels: ['http.request.method'],
  },
  outsideDuration: {
    name: 'http.client.request.duration',
    kind: 'timed',
    unit: 's',
    about:
      'Calls to LINE, slip providers, suppliers, the payment gateway and other services, up to the head of their answer.',
    labels: ['server.address', 'http.request.method', 'http.response.status_code', 'error.type'],
  },
  jobDuration: {
    name: 'shop.job.duration',
    kind: 'timed',
    unit: 's',
    about: 'Runs of the jobs that the shop does on its own.',
    labels: ['shop.job', 'shop.outcome'],
  },
  outboxDuration: {
    name: 'shop.outbox.duration',
    kind: 'timed',
    unit: 's',
    about: 'Runs of work for outside services: messages, mail, slips, purchases.',
    labels: ['shop.outbox.kind', 'shop.outcome'],
  },
  connections: {
    name: 'db.client.connection.count',
    kind: 'looked',
    unit: '{connection}',
    about: 'Connections of this process to the database.',
    labels: ['db.client.connection.state'],
  },
  connectionsMax: {
    name: 'db.client.connection.max',
    kind: 'looked',
    unit: '{connection}',
    about: 'The most connections that this process may have.',
    labels: [],
  },
  connectionsPending: {
    name: 'db.client.connection.pending_requests',
    kind: 'looked',
    unit: '{request}',
    about: 'Requests that wait for a connection.',
    labels: [],
  },
  checkValue: {
    name: 'shop.check.value',
    kind: 'looked',
    unit: '1',
    about: 'What /pulse measures: seconds or a number of things. `shop.of` is the job, kind of work or account.',
    labels: ['shop.check', 'shop.of'],
  },
  checkLimit: {
    name: 'shop.check.limit',
    kind: 'looked',
    unit: '1',
    about: 'More than this needs a person.',
    labels: ['shop.check', 'shop.of'],
  },
  checkRed: {
    name: 'shop.check.red',
    kind: 'looked',
    unit: '1',
    about: '1 while a limit is passed. `database` stands for all of them while nothing can be measured.',
    labels: ['shop.check'],
  },
  memory: {
    name: 'process.memory.usage',
    kind: 'looked',
    unit: 'By',
    about: 'Memory of this process.',
    labels: [],
  },
  eventLoopDelay: {
    name: 'nodejs.eventloop.delay.p99',
    kind: 'looked',
    unit: 's',
    about: 'How late timers of this process were since the last collection.',
    labels: [],
  },
  eventLoopUse: {
    name: 'nodejs.eventloop.utilization',
    kind: 'looked',
    unit: '1',
    about: 'The share of the time since the last collection in which this process was busy.',
    labels: [],
  },
} as const satisfies Record<string, Instrument>

export type InstrumentName = keyof typeof INSTRUMENT
export type OfKind<Kind extends Instrument['kind']> = {
  [Name in InstrumentName]: (typeof INSTRUMENT)[Name]['kind'] extends Kind ? Name : never
}[InstrumentName]

/** A value for each label; a label that does not apply is left out. */
export type Labels<Name extends InstrumentName> = {
  [Label in (typeof INSTRUMENT)[Name]['labels'][number]]?: string | number
}

/** Returns the name by which Prometheus knows an instrument. */
export const prometheusName = (name: InstrumentName): string => INSTRUMENT[name].name.replaceAll('.', '_')
