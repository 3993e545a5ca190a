import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

const isThai = text => /[\u0e00-\u0e7f]/.test(text)
/** Properties of the tables that hold words in Latin letters, or a look. */
const SHOWN = ['name', 'tone']
const isShown = node => node?.type === 'ObjectProperty' && SHOWN.includes(node.key.name)
const isLabel = property => property.value?.type === 'StringLiteral' && isThai(property.value.value)

/** What people read is not a rule: Thai words, and what a bug says when it crashes. */
const texts = {
  shouldIgnore({ node, parent }) {
    if (node.type === 'StringLiteral' && isThai(node.value)) return 'Thai text'
    if (node.type === 'StringLiteral' && isShown(parent)) return 'shown'
    if (node.type === 'ObjectExpression' && node.properties.length > 0 && node.properties.every(isLabel))
      return 'Thai labels'
    if (node.type === 'TemplateLiteral' && node.quasis.some(part => isThai(part.value.raw))) return 'Thai text'
    if (parent?.type === 'NewExpression' && parent.callee.name === 'Error') return 'words of a crash'
    if (node.type === 'StringLiteral' && parent?.type === 'CallExpression' && parent.callee.name === 'invariant')
      return 'words of a crash'
    return undefined
  },
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'texts', texts)]
