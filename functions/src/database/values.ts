/** Numbers the placeholders of a statement whose parts are put together. */
export class Values {
  readonly all: unknown[] = []
  /** The placeholder of a value, e.g. "$3". */
  add = (value: unknown, type = ''): string => `$${this.all.push(value)}${type}`
  list = (values: unknown[]): string => values.map(value => this.add(value)).join(', ')
}
