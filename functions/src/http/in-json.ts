/** The type of a row after a round trip through JSON, where dates are texts. */
export type InJson<Row> = {
  [Field in keyof Row]: Date extends Row[Field] ? Exclude<Row[Field], Date> | string : Row[Field]
}

/** Returns a row with its dates as ISO texts. Dates further inside stay as they are. */
export const inJson = <Row extends object>(row: Row): InJson<Row> =>
  Object.fromEntries(
    Object.entries(row).map(([field, value]) => [field, value instanceof Date ? value.toISOString() : value]),
  ) as InJson<Row>
