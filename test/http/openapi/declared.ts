/** The operations of the specification: id, method, path, statuses (that of success first). */
export const declared = `
adminCreateUser POST /admin/users 201,403,422
adminDeleteUser DELETE /admin/users/{username} 204,403,422
adminEditUser PATCH /admin/users/{username} 200,403,422
adminCreatePublicKey POST /admin/users/{username}/keys 201,403,422
adminDeleteUserPublicKey DELETE /admin/users/{username}/keys/{id} 204,403,404
adminCreateOrg POST /admin/users/{username}/orgs 201,403,422
adminCreateRepo POST /admin/users/{username}/repos 201,403,422
adminListQuotaGroups GET /admin/quota/groups 200,403
adminCreateQuotaGroup POST /admin/quota/groups 201,400,403,409,422
adminGetQuotaGroup GET /admin/quota/groups/{quotagroup} 200,400,403,404
adminDeleteQuotaGroup DELETE /admin/quota/groups/{quotagroup} 204,400,403,404
adminListUsersInQuotaGroup GET /admin/quota/groups/{quotagroup}/users 200,400,403,404
adminAddUserToQuotaGroup PUT /admin/quota/groups/{quotagroup}/users/{username} 204,400,403,404,409,422
adminRemoveUserFromQuotaGroup DELETE /admin/quota/groups/{quotagroup}/users/{username} 204,400,403,404
adminSetUserQuotaGroups POST /admin/users/{username}/quota/groups 204,400,403,404,422
adminAddRuleToQuotaGroup PUT /admin/quota/groups/{quotagroup}/rules/{quotarule} 204,400,403,404,409,422
adminRemoveRuleFromQuotaGroup DELETE /admin/quota/groups/{quotagroup}/rules/{quotarule} 204,400,403,404
adminListQuotaRules GET /admin/quota/rules 200,403
adminCreateQuotaRule POST /admin/quota/rules 201,400,403,409,422
adminGetQuotaRule GET /admin/quota/rules/{quotarule} 200,400,403,404
adminEditQuotaRule PATCH /admin/quota/rules/{quotarule} 200,400,403,404,422
adminDEleteQuotaRule DELETE /admin/quota/rules/{quotarule} 204,400,403,404
renderMarkdown POST /markdown 200,422
renderMarkdownRaw POST /markdown/raw 200,422
createOrgRepo POST /org/{org}/repos 201,403,422
orgGet GET /orgs/{org} 200
orgEdit PATCH /orgs/{org} 200
orgListHooks GET /orgs/{org}/hooks 200
orgCreateHook POST /orgs/{org}/hooks/ 201
orgGetHook GET /orgs/{org}/hooks/{id} 200
orgEditHook PATCH /orgs/{org}/hooks/{id} 200
orgDeleteHook DELETE /orgs/{org}/hooks/{id} 204
orgListMembers GET /orgs/{org}/members 200
orgIsMember GET /orgs/{org}/members/{username} 204,404
orgDeleteMember DELETE /orgs/{org}/members/{username} 204
orgListPublicMembers GET /orgs/{org}/public_members 200
orgIsPublicMember GET /orgs/{org}/public_members/{username} 204,404
orgPublicizeMember PUT /orgs/{org}/public_members/{username} 204
orgConcealMember DELETE /orgs/{org}/public_members/{username} 204
orgListRepos GET /orgs/{org}/repos 200
orgListTeams GET /orgs/{org}/teams 200
orgCreateTeam POST /orgs/{org}/teams 201
repoMigrate POST /repos/migrate 201
repoSearch GET /repos/search 200,422
repoGet GET /repos/{owner}/{repo} 200
repoDelete DELETE /repos/{owner}/{repo} 204,403
repoGetArchive GET /repos/{owner}/{repo}/archive/{filepath} 200
repoListBranches GET /repos/{owner}/{repo}/branches 200
repoGetBranch GET /repos/{owner}/{repo}/branches/{branch} 200
repoListCollaborators GET /repos/{owner}/{repo}/collaborators 200
repoCheckCollaborator GET /repos/{owner}/{repo}/collaborators/{collaborator} 204,404
repoAddCollaborator PUT /repos/{owner}/{repo}/collaborators/{collaborator} 204
repoDeleteCollaborator DELETE /repos/{owner}/{repo}/collaborators/{collaborator} 204
repoGetCombinedStatusByRef GET /repos/{owner}/{repo}/commits/{ref}/statuses 200
repoGetEditorConfig GET /repos/{owner}/{repo}/editorconfig/{filepath} 200
listForks GET /repos/{owner}/{repo}/forks 200
createFork POST /repos/{owner}/{repo}/forks 202
repoListHooks GET /repos/{owner}/{repo}/hooks 200
repoCreateHook POST /repos/{owner}/{repo}/hooks 201
repoGetHook GET /repos/{owner}/{repo}/hooks/{id} 200
repoEditHook PATCH /repos/{owner}/{repo}/hooks/{id} 200
issueGetComments GET /repos/{owner}/{repo}/issue/{index}/comments 200
issueReplaceLabels PUT /repos/{owner}/{repo}/issue/{index}/labels 200
issueAddLabel POST /repos/{owner}/{repo}/issue/{index}/labels 200
issueClearLabels DELETE /repos/{owner}/{repo}/issue/{index}/labels 204
issueRemoveLabel DELETE /repos/{owner}/{repo}/issue/{index}/labels/{id} 204
issueListIssues GET /repos/{owner}/{repo}/issues 200
issueCreateIssue POST /repos/{owner}/{repo}/issues 201
issueGetRepoComments GET /repos/{owner}/{repo}/issues/comments 200
`
  .trim()
  .split('\n')
  .map((line) => {
    const [id = '', method = '', path = '', statuses = ''] = line.split(' ');
    return { id, method, path, statuses: statuses.split(',') };
  });
