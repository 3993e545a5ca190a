/**
 * Tells whether a text has all words of a phrase, in any order and in capitals or not. A path's variables are found however
 * they are written: {id}, :id or KT2611-04821937's place left out.
 * @param {string} phrase
 * @param {string} text
 */
export function matches(phrase, text) {
  const plain = text.toLowerCase()
  return phrase
    .toLowerCase()
    .split(/\s+/)
    .every(word => plain.includes(word.replace(/:(\w+)/g, '{$1}')))
}

/**
 * Swagger UI's own filter knows tags only. This one finds calls by method, path, summary and operationId, too.
 * @param taggedOps an Immutable map from a tag to `{ tagDetails, operations }`
 * @param {string} phrase
 */
export const filterOperations = (taggedOps, phrase) =>
  taggedOps
    .map((group, tag) =>
      group.update('operations', operations =>
        operations.filter(each => {
          const operation = each.get('operation')
          const words = [
            each.get('method'),
            each.get('path'),
            operation.get('summary'),
            operation.get('operationId'),
            tag,
          ]
          return matches(phrase, words.join(' '))
        }),
      ),
    )
    .filter(group => group.get('operations').size > 0)
