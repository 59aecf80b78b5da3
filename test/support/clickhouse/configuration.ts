/** The configuration of a ClickHouse server for tests: small, quiet, and with a user who has a password. */
export interface Ports {
  http: number
  native: number
  interserver: number
}

export interface Access {
  user: string
  password: string
}

const CACHE_BYTES = 64 << 20
const QUERY_BYTES = 2 * 2 ** 30

const replica = ({ native }: Ports, { user, password }: Access): string => `
        <replica>
          <host>127.0.0.1</host><port>${native}</port><user>${user}</user><password>${password}</password>
        </replica>`

const shard = (replicas: Ports[], access: Access): string => `
      <shard>
        <internal_replication>true</internal_replication>${replicas.map((ports) => replica(ports, access)).join('')}
      </shard>`

/** The cluster's name. */
export const CLUSTER = 'test'

export interface ServerSettings extends Access {
  folder: string
  own: Ports
  /** The replicas of each of the cluster, this one among them; none without a cluster. */
  shards: Ports[][]
  /** With it, tables can be replicated. */
  zookeeper: number | null
}

/** A server that was killed stays without ZooKeeper for so long when it is back. */
const SESSION_MS = 3_000

/** What a server needs to replicate tables. */
function replication({ own, shards, zookeeper }: ServerSettings): string {
  if (zookeeper === null) return ''
  const place = shards.findIndex((replicas) => replicas.includes(own))
  return `
  <zookeeper>
    <node><host>127.0.0.1</host><port>${zookeeper}</port></node>
    <session_timeout_ms>${SESSION_MS}</session_timeout_ms>
  </zookeeper>
  <macros><shard>${place + 1}</shard><replica>${own.http}</replica></macros>`
}

/** config.xml. */
export function serverXml(settings: ServerSettings): string {
  const { folder, own, shards, ...access } = settings
  const cluster = shards.map((replicas) => shard(replicas, access)).join('')
  return `<yandex>
  <logger>
    <level>warning</level>
    <log>${folder}/server.log</log>
    <errorlog>${folder}/errors.log</errorlog>
  </logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${own.http}</http_port>
  <tcp_port>${own.native}</tcp_port>
  <interserver_http_host>127.0.0.1</interserver_http_host>
  <interserver_http_port>${own.interserver}</interserver_http_port>
  <max_concurrent_queries>200</max_concurrent_queries>
  <keep_alive_timeout>3</keep_alive_timeout>
  <mark_cache_size>${CACHE_BYTES}</mark_cache_size>
  <uncompressed_cache_size>${CACHE_BYTES}</uncompressed_cache_size>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/data/tmp/</tmp_path>
  <user_files_path>${folder}/data/user_files/</user_files_path>
  <format_schema_path>${folder}/data/format_schemas/</format_schema_path>
  <users_config>users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <timezone>UTC</timezone>
  <remote_servers>${cluster && `<${CLUSTER}>${cluster}</${CLUSTER}>`}</remote_servers>${replication(settings)}
</yandex>
`
}

/** users.xml: one user. The connection to another shard may take longer than 50 ms on a busy machine. */
export const usersXml = ({ user, password }: Access): string => `<yandex>
  <profiles>
    <default>
      <max_memory_usage>${QUERY_BYTES}</max_memory_usage>
      <max_memory_usage_for_all_queries>${2 * QUERY_BYTES}</max_memory_usage_for_all_queries>
      <max_threads>2</max_threads>
      <background_pool_size>2</background_pool_size>
      <background_schedule_pool_size>2</background_schedule_pool_size>
      <connect_timeout_with_failover_ms>2000</connect_timeout_with_failover_ms>
    </default>
  </profiles>
  <users>
    <${user}>
      <password>${password}</password>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
    </${user}>
  </users>
  <quotas><default></default></quotas>
</yandex>
`
