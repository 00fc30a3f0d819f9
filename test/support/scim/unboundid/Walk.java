import com.unboundid.scim2.client.ScimService;
import com.unboundid.scim2.common.exceptions.ScimException;
import com.unboundid.scim2.common.filters.Filter;
import com.unboundid.scim2.common.messages.ListResponse;
import com.unboundid.scim2.common.types.Email;
import com.unboundid.scim2.common.types.GroupResource;
import com.unboundid.scim2.common.types.Member;
import com.unboundid.scim2.common.types.Name;
import com.unboundid.scim2.common.types.UserResource;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.ClientRequestFilter;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.glassfish.jersey.apache.connector.ApacheConnectorProvider;
import org.glassfish.jersey.client.ClientConfig;

/** Every operation of the SDK, at the address of the argument with the token of SCIM_TOKEN. Prints a line for each. */
public class Walk {
  public static void main(String[] args) throws Exception {
    var config = new ClientConfig().connectorProvider(new ApacheConnectorProvider());
    ClientRequestFilter token = (request) -> request.getHeaders().add("Authorization", "Bearer " + System.getenv("SCIM_TOKEN"));
    var scim = new ScimService(ClientBuilder.newClient(config).register(token).target(args[0]));

    var provider = scim.getServiceProviderConfig();
    say("provider", provider.getPatch().isSupported(), provider.getBulk().getMaxOperations());
    say("types", scim.getResourceTypes().getTotalResults(), scim.getResourceType("User").getEndpoint());
    say("schemas", scim.getSchema("urn:ietf:params:scim:schemas:core:2.0:User").getName());
    for (var schema : scim.getSchemas()) say("schema", schema.getName());

    var user = new UserResource().setUserName("babs").setName(new Name().setGivenName("Barbara").setFamilyName("Jensen"));
    user.setEmails(new Email().setType("work").setPrimary(true).setValue("babs@example.com"));
    user = scim.create("Users", user);
    say("created", user.getUserName(), user.getName().getFamilyName(), user.getMeta().getResourceType());
    user.setNickName("Babs");
    user = scim.replace(user);
    say("replaced", user.getNickName());
    scim.modifyRequest(user).replaceValue("title", "Chief").invoke();
    say("modified", scim.retrieve("Users", user.getId(), UserResource.class).getTitle());
    ListResponse<UserResource> found = scim.searchRequest("Users")
        .filter(Filter.eq("userName", "babs")).page(1, 5).attributes("userName").invoke(UserResource.class);
    say("found", found.getTotalResults(), found.getResources().get(0).getTitle());
    found = scim.searchRequest("Users").filter(Filter.eq("userName", "babs")).invokePost(UserResource.class);
    say("found by POST", found.getTotalResults(), found.getResources().get(0).getTitle());

    var group = scim.create("Groups", new GroupResource().setDisplayName("Staff"));
    scim.modifyRequest(group).addValues("members", new Member().setValue(user.getId())).invoke();
    say("member", scim.retrieve("Groups", group.getId(), GroupResource.class).getMembers().size());
    try {
      scim.create("Users", new UserResource().setUserName("BABS"));
    } catch (ScimException error) {
      say("refused", error.getScimError().getStatus(), error.getScimError().getScimType());
    }
    scim.delete("Groups", group.getId());
    scim.delete(user);
    try {
      scim.retrieve(user);
    } catch (ScimException error) {
      say("gone", error.getScimError().getStatus());
    }
  }

  private static void say(Object... words) {
    System.out.println(Arrays.stream(words).map(String::valueOf).collect(Collectors.joining(" ")));
  }
}
