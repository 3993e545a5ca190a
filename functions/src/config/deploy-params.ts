/** What `firebase deploy` reads from deploy/.env: how the functions run, not what they do. */
export const DEPLOY_PARAMS = {
  SERVICE_ACCOUNT: {
    default: 'shop-server@',
    description: 'The account that the functions run as; a name that ends in @ is one of the project.',
  },
  VPC_NETWORK: { default: 'default', description: "The network that reaches the database's private address." },
  VPC_SUBNETWORK: { default: 'default', description: 'Its part in asia-southeast1.' },
  API_MIN_INSTANCES: {
    default: 0,
    description: 'Instances of the API that stay awake; 1 spares the first caller a wait.',
  },
  API_MAX_INSTANCES: {
    default: 5,
    description:
      'The most instances of the API. Each has up to DATABASE_CONNECTIONS, the other functions together up to 66, and all must fit into what the database allows.',
  },
} as const
