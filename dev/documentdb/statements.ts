import type { Statement } from './pg-protocol.js';

function statement(name: string, text: string): Statement {
  return { name, text };
}

const SPEC = '$1::text, $2::bytea::documentdb_core.bson';

function write(name: string): Statement {
  return statement(
    name,
    `SELECT p_result::bytea, p_success FROM documentdb_api.${name}(${SPEC}, $3::bytea::documentdb_core.bsonsequence)`,
  );
}

function firstPage(name: string): Statement {
  return statement(
    name,
    `SELECT cursorpage::bytea, continuation::bytea, cursorid FROM documentdb_api.${name}_cursor_first_page(${SPEC}, 0)`,
  );
}

function result(name: string, call: string): Statement {
  return statement(name, `SELECT (${call})::bytea`);
}

/** The engine's SQL functions, by command. */
export const STATEMENTS = {
  insert: write('insert'),
  update: write('update'),
  delete: write('delete'),
  findAndModify: statement(
    'find_and_modify',
    `SELECT p_result::bytea, p_success FROM documentdb_api.find_and_modify(${SPEC})`,
  ),
  find: firstPage('find'),
  aggregate: firstPage('aggregate'),
  listCollections: firstPage('list_collections'),
  listIndexes: firstPage('list_indexes'),
  getMore: statement(
    'get_more',
    `SELECT cursorpage::bytea, continuation::bytea
       FROM documentdb_api.cursor_get_more(${SPEC}, $3::bytea::documentdb_core.bson)`,
  ),
  deleteCursor: result('delete_cursor', 'documentdb_api_internal.delete_cursors(ARRAY[$1::int8])'),
  count: result('count_query', `documentdb_api.count_query(${SPEC})`),
  distinct: result('distinct_query', `documentdb_api.distinct_query(${SPEC})`),
  create: result('create_view', `documentdb_api.create_collection_view(${SPEC})`),
  createIndexes: result(
    'create_indexes',
    `documentdb_api_internal.create_indexes_non_concurrently(${SPEC}, true)`,
  ),
  dropIndexes: result('drop_indexes', `documentdb_api_internal.drop_indexes_non_concurrently(${SPEC})`),
  collMod: result('coll_mod', 'documentdb_api.coll_mod($1::text, $2::text, $3::bytea::documentdb_core.bson)'),
  drop: statement('drop_collection', 'SELECT documentdb_api.drop_collection($1::text, $2::text)'),
  dropDatabase: statement('drop_database', 'SELECT documentdb_api.drop_database($1::text)::text'),
  listDatabases: result('list_databases', 'documentdb_api.list_databases($1::bytea::documentdb_core.bson)'),
  renameCollection: result(
    'rename_collection',
    'documentdb_api.rename_collection($1::bytea::documentdb_core.bson)',
  ),
  collStats: result('coll_stats', 'documentdb_api.coll_stats($1::text, $2::text)'),
  dbStats: result('db_stats', 'documentdb_api.db_stats($1::text)'),
  explainFind: statement(
    'explain_find',
    `EXPLAIN (VERBOSE, COSTS OFF) SELECT document FROM documentdb_api_catalog.bson_aggregation_find(${SPEC})`,
  ),
  explainAggregate: statement(
    'explain_aggregate',
    `EXPLAIN (VERBOSE, COSTS OFF) SELECT document FROM documentdb_api_catalog.bson_aggregation_pipeline(${SPEC})`,
  ),
  ping: statement('ping', 'SELECT 1'),
  indexByConstraint: statement(
    'index_by_constraint',
    `SELECT c.database_name || '.' || c.collection_name, (i.index_spec).index_name, (i.index_spec).index_key::bytea
       FROM documentdb_api_catalog.collection_indexes i
       JOIN documentdb_api_catalog.collections c USING (collection_id)
      WHERE i.index_id = $1::text::int`,
  ),
  indexByName: statement(
    'index_by_name',
    `SELECT (i.index_spec).index_key::bytea, (i.index_spec).index_pfe::bytea
       FROM documentdb_api_catalog.collection_indexes i
       JOIN documentdb_api_catalog.collections c USING (collection_id)
      WHERE c.database_name = $1::text AND c.collection_name = $2::text
        AND (i.index_spec).index_name = $3::text`,
  ),
  indexKeys: statement(
    'index_keys',
    `SELECT (i.index_spec).index_key::bytea
       FROM documentdb_api_catalog.collection_indexes i
       JOIN documentdb_api_catalog.collections c USING (collection_id)
      WHERE c.database_name = $1::text AND c.collection_name = $2::text`,
  ),
} satisfies Record<string, Statement>;
