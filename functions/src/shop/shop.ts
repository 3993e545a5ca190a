/**
 * Everything that handlers and jobs may use. It is made once at the start; tests replace some of its parts. Each room
 * says here (`declare module`) which parts it gives, so that this file knows no room. Who uses the shop says which parts
 * it takes, like `Pick<Shop, 'db' | 'now'>`; the floor of each part's room is checked (local/house.test.ts).
 */
export interface Shop {
  now: () => Date
}
